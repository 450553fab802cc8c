/* page.h: the browser page, and how files are put into it. */
#ifndef TL_CLI_PAGE_PAGE_H
#define TL_CLI_PAGE_PAGE_H

#include "buffer.h"
#include "usage/args.h"

#include "trilobite/bundle.h"

/* The page that `make web` made, as it was when the program was built; size 0: there was none. */
trilo_bytes page_builtin(void);

/* The page in two halves: what is put between them replaces the comment PAGE_MARKER. */
#define PAGE_MARKER "<!--trilobite:data-->"
typedef struct page_html {
    trilo_bytes head, tail;
    const struct trilo_file *file; /* NULL: the built-in page */
} page_html;

/* The built-in page, or that of --template. A failure has been reported. */
exit_code page_open(page_html *html, const cli_args *args);
void page_close(page_html *html);

/* Reads a model with its files, as --asset-path and --texture-path say. Findings that refuse the model are reported;
 * NULL with the exit code if it cannot be read at all. */
const trilo_bundle *page_bundle(const cli_args *args, const char *path, exit_code *code);

/* Appends text, a JSON string that may be part of a <script>, or base64. */
void page_put(cli_buffer *out, const char *text);
void page_put_string(cli_buffer *out, const char *text);
void page_put_base64(cli_buffer *out, trilo_bytes bytes);

#endif
