#include "usage/commands.h"

#include "usage/options.h"

#include <string.h>

/* clang-format off */
static const cli_command commands[] = {
    {ON_INFO, "info", "FILE...", 1, SIZE_MAX, "show what is in a model",
     "Prints what a model contains: its format, meshes, bounds, textures, bones and clips, and the size of each section of "
     "the file. For T3DM also the releases of Tiny3D that load it, for Model the cost of each display list, for a "
     "compressed file what the game must enable.",
     info_run,
     {{"FILE", "A model; - is standard input."}},
     {{"info hero.nlm", "Everything about one file."},
      {"info --json *.nlm", "The same for many files, as JSON."},
      {"info --materials hero.t3dm", "With the colour combiner of each material in words."},
      {"info --clips hero.t3dm", "With size and rounding error of each clip."},
      {"info --model64-colors normals hero.model", "Read the last bytes of the vertices as normals instead of colours."},
      {"info --topology lines wire.nlm", "Read the indices as lines instead of triangles."}}},

    {ON_CHECK, "check", "FILE...", 0, SIZE_MAX, "find what is wrong with a model",
     "Checks every value of a file and prints one line per finding: file, byte offset, severity, stable code, path of the "
     "value, and a sentence. Severities: console-crash means the console or the engine would crash, error means the format is "
     "broken, warning means probably a mistake, note is information. Console crashes and errors fail the check, warnings do with "
     "--strict. With --for, it also reports what a conversion would lose.",
     check_run,
     {{"FILE", "A model; - is standard input."}},
     {{"check hero.nlm", "Every finding, one per line."},
      {"check --strict --allow NLM-NAN *.nlm", "Warnings fail too, except this one."},
      {"check --profile thornmarked hero.model", "Also check the limits of the game."},
      {"check hero.glb --for t3dm --scale 32", "What a conversion for Tiny3D would lose, and whether it fits."},
      {"check --explain NLM-NAN", "The cause of a finding and how to fix it."}}},

    {ON_DUMP, "dump", "FILE", 1, 1, "print the records of a file",
     "Prints the records of a file field by field, with byte offsets. With --pose or --triangles it prints what the records "
     "mean instead: node transforms and the current frames, or the triangles that are drawn. Matrices are printed column by "
     "column. Keyframes of a T3DM stream have their offset in the stream.",
     dump_run,
     {{"FILE", "A model; - is standard input."}},
     {{"dump hero.nlm --limit 4", "The records, with four elements of each list."},
      {"dump hero.nlm --pose 0@0.5 --json", "The nodes half a second into the first clip."},
      {"dump hero.model --triangles --pose 0@0.3 --smooth", "The triangles, interpolated between two frames of the first clip."},
      {"dump hero.t3dm --triangles", "The triangles: positions, normals, colours, texture coordinates, bones."}}},

    {ON_CONVERT, "convert", "IN OUT", 0, SIZE_MAX, "convert a model, a folder of models, or rewrite one with changes",
     "Writes the model IN to OUT. Without options that change content, a file of the same format is rewritten byte for byte. "
     "OUT is replaced only if everything succeeded. What the format of OUT cannot store is reported on standard error. "
     "The streams of a T3DM model and the buffer of a .gltf are written beside OUT. "
     "With -o DIR, IN may be any number of folders and models: all models in them are converted, several at once, if they or "
     "anything they were made from changed. Without operands, trilobite.toml says what to convert.",
     convert_run,
     {{"IN", "The model to read, or a folder; - is standard input."},
      {"OUT", "The file to write; - is standard output."}},
     {{"convert hero.glb filesystem/hero.t3dm --sprites", "For Tiny3D, with the sprites of its textures."},
      {"convert assets -o filesystem --to t3dm --sprites", "A whole project, only what changed."},
      {"convert hero.t3dm hero.glb", "For Blender and others; converted back it has the same materials."},
      {"convert hero.nlm copy.nlm", "The same bytes, written from the parsed records."},
      {"convert hero.nlm big.nlm --restore-size", "With the size of the source model."},
      {"convert hero.nlm hero.t3dm --scale 100", "For Tiny3D, with 100 units on the console per unit of the model."},
      {"convert hero.t3dm old.t3dm --t3dm-version 3", "For Tiny3D before August 2025."},
      {"convert hero.t3dm hero.model --axes z,x,y", "For the game of the Model format, where z is up."},
      {"convert - - --drop-textures < in.nlm > out.nlm", "In a pipeline."}}},

    {ON_GLTF_TO_T3D, DROP_IN, "IN OUT", 2, 2, "convert glTF for Tiny3D, with the options of its own converter",
     "A drop-in replacement for Tiny3D's converter: the same options, the same file names, no output on success. OUT and "
     "its streams are replaced only if everything succeeded. Unknown options are ignored with a warning. The program does "
     "the same when it is called as " DROP_IN ".",
     gltf_to_t3d_run,
     {{"IN", "The glTF file to read, .glb or .gltf."},
      {"OUT", "The .t3dm file to write."}},
     {{DROP_IN " assets/hero.glb filesystem/hero.t3dm", "The first stream is loaded from rom:/hero.0.sdata."},
      {DROP_IN " hero.glb build/hero.t3dm --rom-root=build --base-scale=0.5", "Another folder becomes rom:/."},
      {DROP_IN " hero.glb fs/hero.t3dm --rom-root=fs -MF build/hero.d", "With build/hero.d, which make can include."}}},

    {ON_OPTIMIZE, "optimize", "IN OUT", 1, 2, "make a model faster to draw",
     "Writes IN to OUT in the same format, faster to draw, and prints the savings. T3DM and Model files get new vertex "
     "batches and display lists: the same triangles with fewer vertex loads, commands and bytes. Materials, names, clips "
     "and everything else stay as they are, and no object gets slower; --simplify and --anim-error encode the file again. "
     "NLM and glTF files are reordered for the vertex cache of graphics hardware, which requires a build with "
     "meshoptimizer; so does --simplify for any format. IN and OUT may be the same file.",
     optimize_run,
     {{"IN", "The model to read; - is standard input."},
      {"OUT", "The file to write; - is standard output."}},
     {{"optimize hero.t3dm fast.t3dm", "Optimize, and print the savings."},
      {"optimize hero.t3dm hero.t3dm -O3", "In place, with the longest search."},
      {"optimize hero.t3dm fast.t3dm -O3 --resident --unused-attributes=drop", "The largest savings."},
      {"optimize hero.model fast.model --json", "Before and after, as JSON."},
      {"optimize hero.glb low.glb --simplify 0.5", "With half of the triangles."},
      {"optimize hero.t3dm --dry-run", "Only print the savings."}}},

    {ON_COST, "cost", "FILE...", 1, SIZE_MAX, "count what it costs to draw a model",
     "Counts what the console does to draw a model once: vertex loads, triangles by kind of command, matrices, material "
     "changes, texture uploads, bytes moved. Estimates the RSP time from these counts and suggests improvements. For formats "
     "that no console draws, meshes and triangles are counted; --as t3dm prints what they would cost there. docs/cost.md "
     "explains every figure.",
     cost_run,
     {{"FILE", "A model; - is standard input."}},
     {{"cost hero.t3dm", "Everything about one file."},
      {"cost hero.glb --as t3dm", "The cost on the console, before converting."},
      {"cost hero.t3dm map.t3dm --budget limits.txt", "Fail if both together exceed a limit."},
      {"cost new.t3dm --compare old.t3dm", "Both, and the ratio."},
      {"cost tree.t3dm --per-frame 12 --fill 40", "Twelve instances that cover 40 % of the screen."}}},

    {ON_RENDER, "render", "FILE...", 1, SIZE_MAX, "draw a model",
     "Draws models in software as the console would: N64 materials with their own combiner and blender settings, others "
     "approximated. The whole model is in view unless a camera is given. A .gif or .apng shows the clip or a turntable. "
     "The same input gives the same pixels on every machine.",
     render_run,
     {{"FILE", "A model; - is standard input."}},
     {{"render hero.t3dm -o hero.png", "As a Nintendo 64 draws it."},
      {"render hero.t3dm -o hero.png --look clean --size 1024x768 --view front", "Large and anti-aliased."},
      {"render hero.t3dm -o walk.gif --clip Walk", "An animated clip."},
      {"render hero.t3dm -o walk.png --clip Walk --frames 8", "walk-000.png to walk-007.png."},
      {"render hero.t3dm -o turn.apng --turntable --background none", "A turntable on a transparent background."},
      {"render hero.t3dm --ansi", "In the terminal."},
      {"render *.t3dm --sheet all.png", "A contact sheet with names."},
      {"render hero.t3dm -o batches.png --parts", "Each vertex batch in its own colour."},
      {"render hero.t3dm -o uv.png --uv", "The triangles on their textures."}}},

    {ON_VIEW, "view", "FILE...", 1, SIZE_MAX, "show models in a browser, and reload them when they change",
     "Opens models in a browser: the picture of the console, clips, materials, cost and findings. Whenever a model or one "
     "of its streams, buffers, images or sprites is saved, the page reloads it; after a bad save it keeps the last good "
     "picture and shows what is wrong. A .glb is shown beside its T3DM conversion. Only the page and these files are "
     "served, to this machine only, at an address that cannot be guessed. Ctrl-C ends it.",
     view_run,
     {{"FILE", "A model."}},
     {{"view hero.glb", "While you work in Blender: shows each export."},
      {"view filesystem/*.t3dm", "All models of a game."},
      {"view --no-browser hero.t3dm", "Print the address, to open it in a browser of your choice."}}},

    {ON_PAGE, "page", "FILE", 1, 1, "put a model into an HTML file",
     "Writes one HTML file with the page and the model inside, with its streams, buffers, images and sprites. It needs no "
     "server and no network: send it by mail, or put it on a website. The same input gives the same bytes.",
     page_run,
     {{"FILE", "A model."}},
     {{"page hero.t3dm -o hero.html", "To look at in any browser."},
      {"page hero.t3dm -o hero.html --texture-path sprites", "With textures from another folder."}}},

    {ON_EXTRACT, "extract", "FILE", 1, 1, "write embedded images, streams, or files of a ROM",
     "Lists the images embedded in a model and the streams of a T3DM model. With -o, writes them to files, byte for byte, and "
     "prints their paths; --textures and --streams choose what. Images keep their names "
     "(brick.png), or are named after the model and numbered: hero-0.jpg, hero-1.png. convert gives their sprites the same "
     "names. Streams of a T3DM model keep theirs. "
     "Of a ROM of libdragon (.z64, .n64, .v64) or a DragonFS image, lists the files, and writes them with -o. Every "
     "command opens a model in a ROM by its path there: game.z64:/models/hero.t3dm.",
     extract_run,
     {{"FILE", "A model; - is standard input. A ROM, or a folder in it: game.z64:/models."}},
     {{"extract hero.glb", "What there is to extract."},
      {"extract hero.glb -o images", "All of it, into a folder."},
      {"extract hero.nlm --textures", "The images, into the current directory."},
      {"extract hero.nlm --textures -o images --force", "Into images, overwriting existing files."},
      {"extract hero.t3dm --streams -o raw", "The streams of its clips, decompressed."},
      {"extract game.z64", "What is in a ROM."},
      {"extract game.z64:/models -o models", "A folder of it."},
      {"info game.z64:/models/hero.t3dm", "A model in it."}}},

    {ON_SPRITE, "sprite", "IN...", 1, SIZE_MAX, "convert images to sprites, and sprites to images",
     "Writes PNG and JPEG images as sprites of libdragon, and sprites as PNG. Prints format, size, TMEM and how far the "
     "result is from the image: PSNR, and the mean distance in Oklab (delta E; below 2 is hardly visible). Palettes are "
     "optimized for that distance; other formats truncate as mksprite does, unless --quality is given. Files are replaced only if "
     "all sprites could be made.",
     sprite_run,
     {{"IN", "An image or a sprite."}},
     {{"sprite wall.ci4.png -o wall.ci4.sprite", "In the format of the name."},
      {"sprite wall.png -o wall.sprite --format auto", "In the smallest format that looks the same, resized to fit TMEM."},
      {"sprite a.png b.png -o filesystem --target libdragon-2024 --compress 1", "Several, for libdragon of 2024."},
      {"sprite wall.sprite -o wall.png --mipmaps", "Back, with all mipmaps."},
      {"sprite grass.png -o grass.sprite --format ci8 --dither floyd-steinberg -m", "A dithered palette, and mipmaps."}}},

    {ON_MKSPRITE, "mksprite", "IN...", 1, SIZE_MAX, "make sprites with the options of libdragon's tool",
     "A drop-in replacement for libdragon's mksprite: the same options and file names, no output on success. For "
     "libdragon of 2024 (--target libdragon-2024) the sprites are equal to its own once decompressed, except for palettes "
     "that it computes, which are closer to the image here.",
     mksprite_run,
     {{"IN", "A PNG or JPEG image."}},
     {{"mksprite -c 1 -o filesystem assets/wall.ci4.png", "filesystem/wall.ci4.sprite."},
      {"mksprite -f RGBA16 -m BOX --texparms 0,0,inf,0 -o filesystem wall.png", "With mipmaps, repeating."}}},

    {ON_DIFF, "diff", "A B", 2, 2, "show what differs between two models",
     "Compares two models, which may have different formats: structure, materials in words, distances of the surfaces, "
     "winding, texture coordinates, colours, normals, clips (the largest error, when, and at which bone), textures and cost. "
     "The order of triangles and the split into meshes do not matter. Between formats, rounding by the console is allowed, and "
     "what each format splits in its own way (meshes, materials, nodes, textures) is shown as not counted. Exit code 1 if "
     "anything that counts differs.",
     diff_run,
     {{"A", "A model; - is standard input."}, {"B", "Another."}},
     {{"diff old.t3dm new.t3dm", "What changed."},
      {"diff hero.glb hero.t3dm --tolerance 0.1", "What a conversion did, apart from distances up to 0.1."},
      {"diff old.t3dm new.t3dm --image diff.png", "With a picture."}}},

    {ON_MATERIALS, "materials", "FILE", 1, 1, "write a starter file of N64 material settings for a model",
     "Writes hero.materials.toml beside hero.glb: combiner, layer, culling and texture settings of each material, as a "
     "conversion would choose them. Every command that reads the model applies the file from then on. docs/materials.md "
     "lists all settings.",
     materials_run,
     {{"FILE", "A model; - is standard input."}},
     {{"materials hero.glb", "hero.materials.toml, which must not exist."},
      {"materials hero.glb -o -", "Only look at it."}}},

    {ON_INIT, "init", "[DIR]", 0, 1, "write a starter project file",
     "Looks for models and images in a folder and writes trilobite.toml: what is converted to where, with which options, "
     "budgets and severities. All commands use it, and `trilobite convert` without operands converts the whole project.",
     init_run,
     {{"DIR", "The folder of the project; the working directory by default."}},
     {{"init", "For the project in the working directory."}}},

    {ON_FORMATS, "formats", "", 0, 0, "list the supported formats",
     "Lists the formats with their versions and file extensions, and whether they can be read and written.",
     formats_run,
     {{NULL, NULL}},
     {{"formats", "The list."},
      {"formats --reference nlm", "Every record of a format, byte by byte."},
      {"formats --reference t3dm --language ksy", "The same as a description for Kaitai Struct."}}},
};
/* clang-format on */

const cli_command *command_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

const cli_command *command_named(const char *name)
{
    for (size_t i = 0; command_at(i); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Tiny3D's converter ignores unknown options, and existing builds may depend on that. */
bool command_forgives(const cli_command *command)
{
    return command && command->place == ON_GLTF_TO_T3D;
}
