#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const trilo_rule tl_general_rules[TL_GENERAL_RULE_COUNT] = {
    [TL_FILE_UNKNOWN] = {"FILE-UNKNOWN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                         "The file does not start like any format that Trilobite reads.",
                         "Run `trilobite formats` for the list. The content decides, not the extension."},
    [TL_FILE_LIMIT] =
        {"FILE-LIMIT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
         "The file needs more than a limit set by the caller allows.",
         "Raise the limit (`--max-memory`, `--max-elements`, or trilo_limits in the library) if you trust the "
         "file."},
    [TL_FILE_MEMORY] = {"FILE-MEMORY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                        "Memory ran out, or the memory limit was reached.",
                        "Raise `--max-memory`, or use a machine with more memory."},
    [TL_FILE_READ] = {"FILE-READ", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                      "The file could not be opened or read.", "Check that it exists and that you may read it."},
    [TL_FILE_WRITE] = {"FILE-WRITE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                       "The output could not be written.",
                       "Check that the folder exists, that you may write there, and that the disk has room."},
    [TL_FILE_REPLACED] =
        {"FILE-REPLACED", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
         "A companion file of the output replaced an existing file with other content that belongs to another model.",
         "Check whether another model needs that file. Write to a separate folder."},
    [TL_FILE_NAME] = {"FILE-NAME", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                      "The name of the file has the extension of another format than its content.",
                      "Rename the file, or convert it to the format of its name. Trilobite detects the format by "
                      "content, but engines and other programs use the name."},
    [TL_CALL_MISUSE] = {"CALL-MISUSE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "A library function was called incorrectly.",
                        "Zero-fill option structs before use, and read the comment of the function."},
    [TL_CALL_CANCELLED] = {"CALL-CANCELLED", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                           "The progress callback of the program cancelled the work.",
                           "Nothing was written. Start it again to get a result."},
    [TL_PROJECT_FILE] = {"PROJECT-FILE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                         "A project file (`trilobite.toml`) is not TOML, or has an unknown key or an invalid value.",
                         "Correct the line that the message names. docs/project.md lists all keys."},
    [TL_PROJECT_BUDGET] =
        {"PROJECT-BUDGET", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_ADVICE,
         "A model has more of something than the project file (`trilobite.toml`) allows: triangles, "
         "vertex loads, texture memory, bytes, clips, estimated time, or another figure of `cost`.",
         "Make the model cheaper (`trilobite cost` shows what is expensive), raise the budget, or give "
         "this file its own with `[[files]]`."},
    [TL_MATERIALS_FILE] =
        {"MATERIALS-FILE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
         "A materials file (`hero.materials.toml` for `hero.glb`) is not TOML, has an unknown key or an invalid "
         "value, or names a material that the model does not have.",
         "Correct the line that the message names. docs/materials.md lists all keys; `trilobite materials` writes a "
         "first file with the names."},
    [TL_MATERIALS_IMAGE] = {"MATERIALS-IMAGE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS,
                            "An image that a materials file names was not found, so its size is not known.",
                            "Put it beside the model or in the assets folder, or correct the name."},
    [TL_MODEL_INDEX] = {"MODEL-INDEX", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "An index in the model is outside its array.",
                        "Keep it below the count, or use TRILO_NONE where that is allowed."},
    [TL_MODEL_ARRAY] = {"MODEL-ARRAY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "An array of the model is missing although its count is not 0.",
                        "Provide the array, or set the count to 0."},
    [TL_MODEL_ORDER] =
        {"MODEL-ORDER", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
         "A node comes before its parent, the times of keys or frames do not increase, or two channels or tracks of a "
         "clip drive the same target.",
         "Sort nodes parent first, sort keys and frames by time without duplicates, and keep one channel per target."},
    [TL_MODEL_SIZE] = {"MODEL-SIZE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_UNSUPPORTED,
                       "The size of the model cannot be changed or restored.",
                       "Restoring needs a model that was scaled into a unit box. Normalizing needs a model that is "
                       "larger than a point."},
    [TL_MODEL_EMPTY] =
        {"MODEL-EMPTY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_LOSS,
         "Nothing of the model would be drawn: it has no triangles (or lines, where the format has them), "
         "or all of them are a single point.",
         "Check that the export includes the meshes, and that no object is scaled to 0. "
         "`--allow MODEL-EMPTY` writes the file anyway."},
    [TL_MODEL_TEXTURE] = {"MODEL-TEXTURE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                          "The model has no embedded texture to replace, or materials that keep their textures.",
                          "Omit `--replace-texture`, which does not add textures. `--drop-textures` does not change "
                          "materials that an engine defines itself (chunk `m` of T3DM)."},
    [TL_MODEL_NO_NODE] = {"MODEL-NO-NODE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS,
                          "A clip of another model drives nodes that this model does not have.",
                          "Use the same bone names in both models. Case and prefixes can be ignored on request."},
    [TL_SEEN_EMPTY] = {"SEEN-EMPTY", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                       "There is nothing to draw: no mesh has a triangle or a line.",
                       "Check that the export includes the meshes, not only what is selected or visible."},
    [TL_SEEN_NAN] =
        {"SEEN-NAN", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
         "All triangles of a mesh have a corner that is not a finite number, by its position or by its node.",
         "Remove the drivers, constraints or scripts that compute them, or apply the transforms, and export "
         "again."},
    [TL_SEEN_FLAT] =
        {"SEEN-FLAT", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
         "No triangle of a mesh has an area: its corners coincide or are on a line, or a node above scales "
         "it to 0.",
         "Give the node a scale other than 0 on at least two axes, and check the indices of the mesh."},
    [TL_SEEN_SIZE] = {"SEEN-SIZE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                      "The whole model is smaller than a unit of the console, or larger than a million meters.",
                      "Check the unit of the scene, apply the scale of the objects, or convert with another --scale."},
    [TL_SEEN_RANGE] = {"SEEN-RANGE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                       "A mesh lies outside the 16-bit coordinates of the console, -32768 to 32767.",
                       "Move it to the origin, or convert with a smaller --scale."},
    [TL_SEEN_CULLED] = {"SEEN-CULLED", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                        "A material culls front and back faces, so that its meshes are invisible from every side.",
                        "Switch off one of the two (Fast64: Cull Front, Cull Back)."},
    [TL_SEEN_ALPHA] = {"SEEN-ALPHA", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                       "A mesh is blended or cut out, and its alpha is 0 or below the threshold everywhere.",
                       "Raise the alpha that the message names, or make the material opaque."},
    [TL_SEEN_BLACK] =
        {"SEEN-BLACK", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE, "All meshes are black in any light.",
         "Give the colour that the message names another value than black, or take it out of the combiner."},
    [TL_SEEN_TEXTURE] = {"SEEN-TEXTURE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                         "A mesh cannot be seen because its image is empty: transparent or black everywhere.",
                         "Replace the image, or check its alpha channel: exporters often store colours without alpha."},
    [TL_MESH_LIBRARY] = {"MESH-LIBRARY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                         "meshoptimizer is not installed, or this build of Trilobite was made without it.",
                         "Install meshoptimizer (libmeshoptimizer-dev), and rebuild Trilobite if that does not help."},
    [TL_MESH_SIMPLIFIED] =
        {"MESH-SIMPLIFIED", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_LOSS, "Triangles were removed, as requested.",
         "Inspect the result. Keep more triangles or allow a smaller error if the difference is visible."},
    [TL_MESH_FRAMES] = {"MESH-FRAMES", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_UNSUPPORTED,
                        "A mesh with vertex frames was not simplified.",
                        "Simplify it in the modelling program: every frame must be considered."},
};

void tl_escape(const char *text, char *out, size_t room)
{
    static const char hex[] = "0123456789ABCDEF";
    size_t used = 0;
    for (const char *p = text; *p; p++) {
        const unsigned char byte = (unsigned char)*p;
        const bool plain = byte >= 0x20 && byte != 0x7F;
        const char code[4] = {'\\', 'x', hex[byte >> 4], hex[byte & 15]};
        const size_t size = plain ? 1 : sizeof code;
        if (used + size >= room)
            break;
        memcpy(out + used, plain ? p : code, size);
        used += size;
    }
    out[used] = '\0';
}

static void error_fill(trilo_error *err, trilo_code code, const trilo_rule *rule, uint64_t offset, const tl_path *path,
                       const char *text)
{
    memset(err, 0, sizeof *err);
    err->code = code;
    err->rule = rule ? rule->name : "";
    err->offset = offset;
    if (path)
        tl_path_format(path, err->path, sizeof err->path);
    tl_escape(text, err->text, sizeof err->text);
}

bool tl_fail(trilo_error *err, trilo_code code, const trilo_rule *rule, uint64_t offset, const tl_path *path,
             const char *format, ...)
{
    if (!err)
        return false;
    char text[sizeof err->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_fill(err, code, rule, offset, path, text);
    return false;
}

bool tl_fail_memory(trilo_error *err)
{
    return tl_fail(err, TRILO_CODE_NO_MEMORY, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, NULL,
                   "memory ran out or its limit was reached");
}

bool tl_fail_misuse(trilo_error *err, const char *text)
{
    return tl_fail(err, TRILO_CODE_MISUSE, &tl_general_rules[TL_CALL_MISUSE], TRILO_NOWHERE, NULL, "%s", text);
}

/* The names of rules are constants of the library. */
bool trilo_finding_is_out_of_memory(const trilo_finding *finding)
{
    return finding->rule == tl_general_rules[TL_FILE_MEMORY].name;
}

bool trilo_finding_is_about_file(const trilo_finding *finding)
{
    for (size_t i = TL_FILE_UNKNOWN; i <= TL_FILE_NAME; i++)
        if (finding->rule == tl_general_rules[i].name)
            return true;
    return false;
}

void tl_report_finding(tl_report *report, const trilo_rule *rule, uint64_t offset, const char *format, ...)
{
    enum { TEXT_ROOM = 512 };
    const bool refuses = rule->severity >= TRILO_SEVERITY_ERROR && rule->kind != TRILO_FINDING_KIND_CONFORMANCE;
    trilo_error *kept = refuses ? &report->first : rule->severity >= TRILO_SEVERITY_WARNING ? &report->warning : NULL;
    const bool keep = kept && kept->code == TRILO_CODE_OK;
    report->tally[rule->severity]++;
    report->no_memory |= rule == &tl_general_rules[TL_FILE_MEMORY];
    if (!keep && !report->fn)
        return;
    char text[TEXT_ROOM], escaped[TEXT_ROOM], path[sizeof kept->path];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tl_escape(text, escaped, sizeof escaped);
    tl_path_format(&report->path, path, sizeof path);
    if (keep)
        error_fill(kept, rule == &tl_general_rules[TL_FILE_MEMORY] ? TRILO_CODE_NO_MEMORY : TRILO_CODE_BAD_VALUE, rule,
                   offset, &report->path, text);
    if (report->fn)
        report->fn(report->user, &(trilo_finding){rule->severity, rule->kind, rule->name, offset, path, escaped});
}

bool tl_report_goes_on(tl_report *report)
{
    if (!report || !report->on_progress || report->cancelled)
        return !report || !report->cancelled;
    report->cancelled = !report->on_progress(report->on_progress_user, report->done, report->total);
    return !report->cancelled;
}

bool tl_report_step(tl_report *report)
{
    report->done++;
    return tl_report_goes_on(report);
}

bool tl_report_fail_cancelled(const tl_report *report, trilo_error *err)
{
    return report->cancelled && tl_fail(err, TRILO_CODE_CANCELLED, &tl_general_rules[TL_CALL_CANCELLED], TRILO_NOWHERE,
                                        NULL, "the program cancelled the work");
}
