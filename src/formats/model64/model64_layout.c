/* The N64 model format: the tables. Facts were measured on files of the game's own converter. */
#include "formats/model64/model64.h"

#include <stdio.h>
#include <string.h>

static const tl_field model64_header_rows[] = {
    TL_PLAIN_ROW(model64_header, magic, TL_U8, 0x00, "the letters `Model`"),
    TL_PLAIN_ROW(model64_header, padding, TL_U8, 0x05, "zeros"),
    TL_PLAIN_ROW(model64_header, main_at, TL_U32, 0x10, "byte of the file where the main section starts"),
    TL_PLAIN_ROW(model64_header, main_size, TL_U32, 0x14, "size of the main section, including padding"),
    TL_PLAIN_ROW(model64_header, vertex_at, TL_U32, 0x18, "byte of the file where the vertex section starts"),
    TL_PLAIN_ROW(model64_header, vertex_size, TL_U32, 0x1C, "size of the vertex section; 0 without animations"),
};
const tl_layout tl_model64_header =
    TL_TABLE("header", TL_BIG, model64_header_rows, "Starts the file. It is dropped when a game packs the model.");

static const tl_field model64_main_rows[] = {
    TL_PLAIN_ROW(model64_main, vertices, TL_U32, 0x00, "offset of the default vertices"),
    TL_PLAIN_ROW(model64_main, lists, TL_U32, 0x04,
                 "offsets of the display lists, one for each material slot; 0: the slot draws nothing"),
    TL_PLAIN_ROW(model64_main, animation_count, TL_S32, 0x14, "animations that follow"),
    TL_PLAIN_ROW(
        model64_main, frame_size, TL_U32, 0x18,
        "bytes of a block of vertices, 16 per vertex; also in files without animations. The only vertex count"),
};
const tl_layout tl_model64_main =
    TL_TABLE("main", TL_BIG, model64_main_rows,
             "Starts the main section. All offsets in this section count from its start, except those of frames.");

static const tl_field model64_animation_rows[] = {
    TL_PLAIN_ROW(model64_animation_head, duration, TL_F32, 0x00, "end of the last frame; 1 in all files of the game"),
    TL_PLAIN_ROW(model64_animation_head, frame_count, TL_S32, 0x04, "number of frames"),
    /* Not "frames": that is what the records are called where they are listed. */
    {"frames_at", TL_U32, 1, 0x08, offsetof(model64_animation_head, frames), 0, 0, 0, 0, NULL,
     "offset of the first frame"},
};
const tl_layout tl_model64_animation =
    TL_TABLE("animation", TL_BIG, model64_animation_rows,
             "Follows the main header. Animations have no names; games number them from 1.");

static const tl_field model64_frame_rows[] = {
    TL_PLAIN_ROW(model64_frame, time, TL_F32, 0x00, "start of the frame: 0 for the first one, then increasing"),
    TL_PLAIN_ROW(model64_frame, inv_dt, TL_F32, 0x04,
                 "1 / time to the next frame, or to the end for the last one; 0 if that time is below 0.001"),
    TL_PLAIN_ROW(model64_frame, vertices, TL_U32, 0x08, "offset of its block in the vertex section"),
};
const tl_layout tl_model64_frame =
    TL_TABLE("frame", TL_BIG, model64_frame_rows,
             "The whole model at a time. Frames may share a block. Only positions differ from the default vertices.");

static const tl_field model64_vertex_rows[] = {
    TL_PLAIN_ROW(model64_vertex, position, TL_S16, 0x00, "x, y, z; the game uses 64 units per meter"),
    TL_PLAIN_ROW(model64_vertex, flag, TL_U16, 0x06, "0"),
    TL_PLAIN_ROW(model64_vertex, st, TL_S16, 0x08,
                 "texture coordinate, from the top left; 2048 is 1 unless an option of the exporter changes it"),
    TL_PLAIN_ROW(model64_vertex, color, TL_U8, 0x0C,
                 "red, green, blue, alpha; or a signed normal and 0; or zeros. The file does not say which"),
};
const tl_layout tl_model64_vertex =
    TL_TABLE("vertex", TL_BIG, model64_vertex_rows, "In the form that the console loads.");

static const tl_field model64_command_rows[] = {
    TL_PLAIN_ROW(gfx_command, w0, TL_U32, 0x00, "the opcode in the top byte, then operands"),
    TL_PLAIN_ROW(gfx_command, w1, TL_U32, 0x04, "operands"),
};
const tl_layout tl_model64_command = TL_TABLE("command", TL_BIG, model64_command_rows, "A command of a display list.");

/* --- the reference --- */

const tl_layout *const tl_model64_reference_order[MODEL64_REFERENCE_COUNT] = {
    &tl_model64_header, &tl_model64_main,   &tl_model64_animation,
    &tl_model64_frame,  &tl_model64_vertex, &tl_model64_command};

typedef struct model64_command_row {
    unsigned opcode;
    const char *w0, *w1, *meaning;
} model64_command_row;

static const model64_command_row model64_used_commands[] = {
    {GFX_VTX, "bits 19 to 12 count n; bits 7 to 1 first slot + n", "0x01000000 + 16 * first vertex",
     "loads n stored vertices into n slots, starting at the first slot"},
    {GFX_MODIFYVTX, "bits 23 to 16 field: 0x14 ST, 0x10 RGBA; bits 15 to 0 slot * 2",
     "half of s, half of t; or the colour", "changes a loaded vertex until its slot is loaded again"},
    {GFX_TRI1, "three bytes, each slot * 2", "0", "draws a triangle"},
    {GFX_TRI2, "three bytes, each slot * 2", "the same for a second triangle",
     "draws two triangles; the console draws the second one first"},
    {GFX_ENDDL, "0", "0", "ends the list"},
};

static void model64_reference_put(tl_sink *sink, const char *text)
{
    tl_sink_put(sink, text, strlen(text));
}

static void model64_reference_opcode(tl_sink *sink, unsigned opcode)
{
    char text[32];
    snprintf(text, sizeof text, "| %02X | %s | ", opcode, tl_gfx_name(opcode));
    model64_reference_put(sink, text);
}

static bool model64_is_used_command(unsigned opcode)
{
    for (size_t i = 0; i < TL_COUNT_OF(model64_used_commands); i++)
        if (model64_used_commands[i].opcode == opcode)
            return true;
    return false;
}

static void model64_reference_others(tl_sink *sink)
{
    model64_reference_put(
        sink, "\n### Other commands\n\n"
              "No real file has them. All are 8 bytes, so they can be skipped. Commands that set state are ignored. "
              "Commands that could draw, transform or branch are not executed, and the check reports them. Opcodes "
              "that are in neither table do not exist.\n\n"
              "| opcode | name | handling |\n| --- | --- | --- |\n");
    for (unsigned opcode = 0; opcode < 256; opcode++) {
        if (model64_is_used_command(opcode) || !tl_gfx_name(opcode))
            continue;
        model64_reference_opcode(sink, opcode);
        model64_reference_put(sink, opcode == GFX_QUAD ? "drawn like G_TRI2 |\n"
                                    : opcode == GFX_DL ? "not followed; a jump ends the list |\n"
                                    : tl_gfx_class(opcode) == GFX_NOT_FOLLOWED ? "not executed |\n"
                                    : opcode == GFX_GEOMETRYMODE ? "lighting distinguishes normals from colours |\n"
                                                                 : "ignored |\n");
    }
    model64_reference_put(sink, "\n");
}

void tl_model64_reference(tl_sink *sink)
{
    model64_reference_put(
        sink,
        "# N64 model: the records\n\n"
        "Made from the tables that read and write the format (`src/formats/model64/model64_layout.c`); do not edit.\n\n"
        "Everything is big-endian. A file is a header and two sections: the main section, which a game keeps in "
        "memory, and the vertex section, from which it loads one block of vertices for the current frame. The main "
        "section has its header, the animations, their frames, the display lists and the default vertices. That is "
        "the usual order, but only offsets count.\n\n"
        "A display list draws the triangles of one material slot. It loads stored vertices into a cache of 32 slots "
        "and draws triangles from them. Slots keep their content until they are loaded again; at the start of a list "
        "they are empty. Vertices are numbered within the current block, so the same lists draw the default vertices "
        "and every frame. Textures, material colours and names are not in the file.\n\n"
        "The texture coordinate of a vertex is halved when it is loaded. The value in G_MODIFYVTX is halved already: "
        "twice that value is in units of a vertex. 11 bits (2048 for 1) suit a texture of 32 texels; each doubling "
        "takes one more bit.\n\n"
        "In files of the game, sections and blocks of vertices start at multiples of 16, lists at multiples of 8, with "
        "zeros in between, and times are fractions of the animation, 0 to 1.\n\n");
    for (size_t i = 0; i < MODEL64_REFERENCE_COUNT; i++)
        tl_layout_reference(tl_model64_reference_order[i], sink);
    model64_reference_put(sink,
                          "### Commands of models\n\n"
                          "The encodings of F3DEX2. Bits that are not named are 0.\n\n"
                          "| opcode | name | first word | second word | meaning |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < TL_COUNT_OF(model64_used_commands); i++) {
        model64_reference_opcode(sink, model64_used_commands[i].opcode);
        model64_reference_put(sink, model64_used_commands[i].w0), model64_reference_put(sink, " | "),
            model64_reference_put(sink, model64_used_commands[i].w1), model64_reference_put(sink, " | ");
        model64_reference_put(sink, model64_used_commands[i].meaning), model64_reference_put(sink, " |\n");
    }
    model64_reference_others(sink);
}
