/* `trilobite page`: one HTML file with the model inside. */
#include "page/page.h"

#include "output.h"
#include "ui/json.h"
#include "ui/report.h"

#include <stdlib.h>
#include <string.h>

/* {"open":"hero.t3dm","files":[{"name":"hero.t3dm","base64":"..."},...]} */
static void put_files(cli_buffer *out, const trilo_bundle *bundle)
{
    page_put(out, "<script type=\"application/json\" id=\"trilobite-files\">{\"open\":");
    page_put_string(out, bundle->files[0].name);
    page_put(out, ",\"files\":[");
    for (size_t i = 0; i < bundle->file_count; i++) {
        page_put(out, i ? ",{\"name\":" : "{\"name\":");
        page_put_string(out, bundle->files[i].name);
        page_put(out, ",\"base64\":\"");
        page_put_base64(out, bundle->files[i].bytes);
        page_put(out, "\"}");
    }
    page_put(out, "]}</script>");
}

static bool fill_page(void *context, trilo_write_fn *sink, void *user, trilo_error *err)
{
    const cli_buffer *page = context;
    (void)err;
    return sink(user, page->bytes, page->size);
}

static void print_json(const cli_args *args, const trilo_bundle *bundle, size_t size)
{
    cli_json json = json_start(args->out.file, "page");
    json_text(&json, "file", args->operands[0]);
    json_text(&json, "output", args_given(args, OPT_OUTPUT));
    json_uint(&json, "size", size);
    json_array(&json, "files");
    for (size_t i = 0; i < bundle->file_count; i++) {
        json_object(&json, NULL);
        json_text(&json, "name", bundle->files[i].name);
        json_text(&json, "path", bundle->files[i].path);
        json_uint(&json, "size", bundle->files[i].bytes.size);
        json_end(&json);
    }
    json_end(&json);
    json_array(&json, "missing");
    for (size_t i = 0; i < bundle->missing_count; i++)
        json_text(&json, NULL, bundle->missing[i]);
    json_end(&json);
    json_finish(&json);
}

static exit_code write_page(const cli_args *args, const page_html *html, const trilo_bundle *bundle)
{
    const char *path = args_given(args, OPT_OUTPUT);
    cli_buffer page = {0};
    trilo_error err = {.code = TRILO_CODE_OK};
    for (size_t i = 0; i < bundle->file_count; i++)
        if (strcmp(bundle->files[i].path, path) == 0)
            return args_fail(args, "--output: the page would replace %s, which it is made of", path);
    buffer_keep(&page, html->head.data, html->head.size);
    put_files(&page, bundle);
    buffer_keep(&page, html->tail.data, html->tail.size);
    const bool written = output_fill(path, fill_page, &page, &err);
    if (!written)
        report_error(&args->err, path, &err);
    else if (args->json)
        print_json(args, bundle, page.size);
    free(page.bytes);
    return written ? EXIT_FINE : exit_of(err.code);
}

exit_code page_run(const cli_args *args)
{
    page_html html;
    if (!args_given(args, OPT_OUTPUT))
        return args_fail(args, "say where the page goes: -o hero.html");
    if (strcmp(args->operands[0], "-") == 0)
        return args_fail(args, "FILE must be a file: others are looked up beside it");
    if (args->json && strcmp(args_given(args, OPT_OUTPUT), "-") == 0)
        return args_fail(args, "--json and -o - both need standard output");
    exit_code code = page_open(&html, args);
    if (code != EXIT_FINE)
        return code;
    const trilo_bundle *bundle = page_bundle(args, args->operands[0], &code);
    if (code == EXIT_FINE)
        code = write_page(args, &html, bundle);
    trilo_bundle_free(bundle);
    page_close(&html);
    return code;
}
