#include "view/models.h"

#include "alloc.h"
#include "paths.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void models_release(view_model *model)
{
    if (!model || --model->uses > 0)
        return;
    trilo_bundle_free(model->bundle);
    free(model);
}

static view_model *model_read(const cli_args *args, const char *path, exit_code *code)
{
    view_model *model = need(NULL, 1, sizeof *model);
    *model = (view_model){.uses = 1, .path = path, .bundle = page_bundle(args, path, code)};
    return model;
}

exit_code models_open(view_models *models, const cli_args *args)
{
    exit_code code = EXIT_FINE;
    *models = (view_models){.args = args, .version = 1, .count = 0};
    models->rows = need(NULL, args->operand_count, sizeof *models->rows);
    for (size_t i = 0; i < args->operand_count; i++) {
        exit_code own;
        view_model *model = models->rows[models->count++] = model_read(args, args->operands[i], &own);
        code = model->bundle ? code : exit_worse(code, own);
    }
    return code;
}

void models_close(view_models *models)
{
    for (size_t i = 0; i < models->count; i++)
        models_release(models->rows[i]);
    free((void *)models->rows);
    *models = (view_models){.count = 0};
}

static bool same_files(const trilo_bundle *a, const trilo_bundle *b)
{
    if (!a || !b || a->file_count != b->file_count)
        return a == b;
    for (size_t i = 0; i < a->file_count; i++) {
        const trilo_bundle_file *x = &a->files[i], *y = &b->files[i];
        if (strcmp(x->name, y->name) != 0 || x->bytes.size != y->bytes.size ||
            (x->bytes.size > 0 && memcmp(x->bytes.data, y->bytes.data, x->bytes.size) != 0))
            return false;
    }
    return true;
}

/* The page shows the findings of a bad save: the terminal stays as it is. */
bool models_refresh(view_models *models)
{
    bool changed = false;
    cli_args silent = *models->args;
    FILE *nowhere = fopen("/dev/null", "w");
    silent.quiet = true;
    if (nowhere)
        silent.err = (cli_screen){.file = nowhere};
    for (size_t i = 0; i < models->count; i++) {
        exit_code code;
        view_model *fresh = model_read(&silent, models->rows[i]->path, &code);
        const bool same = same_files(fresh->bundle, models->rows[i]->bundle);
        models_release(same ? fresh : models->rows[i]);
        models->rows[i] = same ? models->rows[i] : fresh;
        changed |= !same;
    }
    if (nowhere)
        fclose(nowhere);
    models->version += changed;
    return changed;
}

/* ---- the list, and what its URLs mean ---- */

/* "f/0/tex/a%20b.png" */
static void put_url(cli_buffer *out, size_t model, const char *name)
{
    char text[32];
    snprintf(text, sizeof text, "f/%zu/", model);
    page_put(out, text);
    for (const char *c = name; *c; c++) {
        const bool plain =
            (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || strchr("-._~/", *c);
        snprintf(text, sizeof text, plain ? "%c" : "%%%02X", (unsigned)(unsigned char)*c);
        page_put(out, text);
    }
}

void models_put_list(const view_models *models, cli_buffer *out)
{
    char text[64];
    snprintf(text, sizeof text, "{\"version\":%" PRIu64 ",\"models\":[", models->version);
    page_put(out, text);
    for (size_t i = 0; i < models->count; i++) {
        const view_model *model = models->rows[i];
        page_put(out, i ? ",{\"name\":" : "{\"name\":");
        page_put_string(out, path_last(model->path));
        page_put(out, ",\"files\":[");
        for (size_t k = 0; k < (model->bundle ? model->bundle->file_count : 1); k++) {
            const char *name = model->bundle ? model->bundle->files[k].name : path_last(model->path);
            page_put(out, k ? ",{\"name\":" : "{\"name\":");
            page_put_string(out, name);
            page_put(out, ",\"url\":\"");
            put_url(out, i, name);
            page_put(out, "\"}");
        }
        page_put(out, "]}");
    }
    page_put(out, "]}");
}

/* The URL is compared with those of the list as a whole: it is never parsed. */
view_model *models_find(const view_models *models, const char *url, const trilo_bundle_file **file)
{
    for (size_t i = 0; i < models->count; i++) {
        const trilo_bundle *bundle = models->rows[i]->bundle;
        for (size_t k = 0; bundle && k < bundle->file_count; k++) {
            cli_buffer own = {0};
            put_url(&own, i, bundle->files[k].name);
            const bool same = own.size == strlen(url) && memcmp(own.bytes, url, own.size) == 0;
            free(own.bytes);
            if (!same)
                continue;
            *file = &bundle->files[k];
            models->rows[i]->uses++;
            return models->rows[i];
        }
    }
    return NULL;
}
