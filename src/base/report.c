#include "base/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const trilo_rule tl_general_rules[TL_GENERAL_RULE_COUNT] = {
    [TL_FILE_UNKNOWN] = {"FILE-UNKNOWN", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                         "The file begins like no format that Trilobite reads.",
                         "Look at `trilobite formats`; a file with a wrong extension is fine, its content decides."},
    [TL_FILE_LIMIT] = {"FILE-LIMIT", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                       "The file asks for more than a limit of the caller allows.",
                       "Raise the limit (`--max-memory`, or trilo_limits in the library) if the file can be trusted."},
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
         "A file that goes with the output stood there with other content, under another model's name.",
         "See whether another model needed it; write to a folder of its own."},
    [TL_CALL_MISUSE] = {"CALL-MISUSE", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "A library function was called in a way it does not allow.",
                        "Zero-fill option structs before use; see the comment of the function."},
    [TL_MODEL_INDEX] = {"MODEL-INDEX", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "An index in the model points outside its array.",
                        "Keep it below the count, or use TRILO_NONE where that is allowed."},
    [TL_MODEL_ARRAY] = {"MODEL-ARRAY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "An array of the model is missing although its count is not 0.",
                        "Fill it in, or set the count to 0."},
    [TL_MODEL_ORDER] = {"MODEL-ORDER", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_STRUCTURE,
                        "A node stands before its parent, the times of keys or frames do not rise, or two channels or "
                        "tracks of a clip move the same thing.",
                        "Sort nodes parent first, keys and frames by time without doubles, and keep one channel for "
                        "each thing that moves."},
    [TL_MODEL_SIZE] = {"MODEL-SIZE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_UNSUPPORTED,
                       "The size of the model cannot be changed or restored.",
                       "Restoring needs a model that was scaled into a unit box, normalising one with an extent."},
    [TL_MODEL_TEXTURE] = {"MODEL-TEXTURE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_ADVICE,
                          "There is no embedded texture that could be replaced.",
                          "Leave `--replace-texture` out; Trilobite adds no texture where there was none."},
    [TL_MODEL_NO_NODE] = {"MODEL-NO-NODE", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS,
                          "A clip of another model moves nodes that this one does not have.",
                          "Name the bones alike; names may differ in case and prefix if that is asked for."},
    [TL_MESH_LIBRARY] = {"MESH-LIBRARY", TRILO_SEVERITY_ERROR, TRILO_FINDING_KIND_UNSUPPORTED,
                         "This Trilobite was built without the library meshoptimizer.",
                         "Install libmeshoptimizer-dev and build Trilobite again."},
    [TL_MESH_SIMPLIFIED] = {"MESH-SIMPLIFIED", TRILO_SEVERITY_NOTE, TRILO_FINDING_KIND_LOSS,
                            "Triangles were left out because that was asked for.",
                            "Look at the result; ask for more triangles or a smaller error if it shows."},
    [TL_MESH_FRAMES] = {"MESH-FRAMES", TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_UNSUPPORTED,
                        "A mesh whose vertices are stored frame by frame was not simplified.",
                        "Simplify it where it was made: which vertices matter depends on all of its frames."},
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

void tl_report_finding(tl_report *report, const trilo_rule *rule, uint64_t offset, const char *format, ...)
{
    enum { TEXT_ROOM = 512 };
    trilo_error *kept = rule->severity >= TRILO_SEVERITY_ERROR     ? &report->first
                        : rule->severity == TRILO_SEVERITY_WARNING ? &report->warning
                                                                   : NULL;
    const bool keep = kept && kept->code == TRILO_CODE_OK;
    report->tally[rule->severity]++;
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
        error_fill(kept, TRILO_CODE_BAD_VALUE, rule, offset, &report->path, text);
    if (report->fn)
        report->fn(report->user, &(trilo_finding){rule->severity, rule->kind, rule->name, offset, path, escaped});
}
