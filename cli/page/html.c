#include "page/page.h"

#include "input.h"
#include "ui/report.h"

#include "trilobite/file.h"

#include <inttypes.h>
#include <string.h>

/* ---- the page ---- */

static size_t find_marker(trilo_bytes page, size_t from)
{
    const size_t length = strlen(PAGE_MARKER);
    for (size_t i = from; i + length <= page.size; i++)
        if (memcmp(page.data + i, PAGE_MARKER, length) == 0)
            return i;
    return SIZE_MAX;
}

exit_code page_open(page_html *html, const cli_args *args)
{
    const char *path = args_given(args, OPT_TEMPLATE);
    trilo_error err;
    trilo_bytes page = page_builtin();
    *html = (page_html){.file = NULL};
    if (path) {
        html->file = trilo_file_read(path, NULL, &err);
        if (!html->file) {
            report_error(&args->err, path, &err);
            return exit_of(err.code);
        }
        page = html->file->bytes;
    }
    if (!path && page.size == 0) {
        report_plain(&args->err, args->program,
                     "the page is not part of this build: run \"make web\" and then \"make\", or name a page with "
                     "--template FILE; \"trilobite render FILE -o OUT.png\" needs none");
        return EXIT_LIMIT;
    }
    const size_t marker = find_marker(page, 0), next = marker + strlen(PAGE_MARKER);
    if (marker == SIZE_MAX || find_marker(page, next) != SIZE_MAX) {
        report_plain(&args->err, path ? path : args->program,
                     "it is not a page of Trilobite: the comment " PAGE_MARKER " must be in it, once");
        page_close(html);
        return EXIT_INPUT;
    }
    html->head = (trilo_bytes){page.data, marker};
    html->tail = (trilo_bytes){page.data + next, page.size - next};
    return EXIT_FINE;
}

void page_close(page_html *html)
{
    trilo_file_free(html->file);
    html->file = NULL;
}

/* ---- the model ---- */

typedef struct page_findings {
    const cli_args *args;
    const char *path;
    bool refused;
} page_findings;

static void report_refusal(void *user, const trilo_finding *finding)
{
    page_findings *findings = user;
    if (!input_refuses(finding))
        return;
    findings->refused = true;
    report_finding(&findings->args->err, findings->path, finding);
}

static void warn_about_missing(const cli_args *args, const char *path, const trilo_bundle *bundle)
{
    for (size_t i = 0; i < bundle->missing_count && !args->quiet; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s was not found%s; it is drawn as a checkerboard", bundle->missing[i],
                 args_given(args, OPT_TEXTURE_PATH) ? "" : "; --texture-path DIR says where to look");
        const trilo_finding finding = {TRILO_SEVERITY_WARNING, TRILO_FINDING_KIND_LOSS, "", TRILO_NOWHERE, "", text};
        report_finding(&args->err, path, &finding);
    }
}

const trilo_bundle *page_bundle(const cli_args *args, const char *path, exit_code *code)
{
    page_findings findings = {args, path, false};
    const trilo_bundle_opts opts = {.assets = args_given(args, OPT_ASSET_PATH),
                                    .textures = args_given(args, OPT_TEXTURE_PATH),
                                    .on_finding = report_refusal,
                                    .on_finding_user = &findings};
    trilo_error err;
    const trilo_bundle *bundle = trilo_bundle_open(path, &opts, &err);
    *code = !bundle ? exit_of(err.code) : exit_of(bundle->error.code);
    if (!bundle)
        report_error(&args->err, path, &err);
    else if (bundle->error.code != TRILO_CODE_OK && !findings.refused)
        report_error(&args->err, path, &bundle->error);
    else if (bundle->error.code == TRILO_CODE_OK)
        warn_about_missing(args, path, bundle);
    return bundle;
}

/* ---- writing ---- */

void page_put(cli_buffer *out, const char *text)
{
    buffer_keep(out, text, strlen(text));
}

/* "<" is escaped: "</script>" or "<!--" in a name must not end the script. */
void page_put_string(cli_buffer *out, const char *text)
{
    const size_t len = strlen(text);
    uint32_t code;
    size_t size;
    page_put(out, "\"");
    for (size_t i = 0; i < len; i += size ? size : 1) {
        char escaped[8] = "";
        size = text_decode(text + i, len - i, &code);
        if (size == 0)
            snprintf(escaped, sizeof escaped, "\\\\x%02X", (unsigned)(unsigned char)text[i]);
        else if (code == '"' || code == '\\')
            snprintf(escaped, sizeof escaped, "\\%c", (char)code);
        else if (code == '<' || (code < 0x10000 && text_is_hidden(code)))
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)code & 0xFFFF);
        if (escaped[0])
            page_put(out, escaped);
        else
            buffer_keep(out, text + i, size);
    }
    page_put(out, "\"");
}

void page_put_base64(cli_buffer *out, trilo_bytes bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.size; i += 3) {
        const size_t left = bytes.size - i;
        const uint32_t bits = (uint32_t)bytes.data[i] << 16 | (left > 1 ? (uint32_t)bytes.data[i + 1] << 8 : 0) |
                              (left > 2 ? bytes.data[i + 2] : 0);
        const char quad[4] = {digits[bits >> 18], digits[bits >> 12 & 63], left > 1 ? digits[bits >> 6 & 63] : '=',
                              left > 2 ? digits[bits & 63] : '='};
        buffer_keep(out, quad, sizeof quad);
    }
}
