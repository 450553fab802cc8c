#include "support/skin_error.h"

#include "harness.h"
#include <stdio.h>
#include <string.h>

static bool ignore_bytes(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static bool ignore_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

/* "... bones are 0.2 units off on average instead of 0.5 ...", "... they are 0.2 units off on average (1 at most)
 * instead of 0.5 ...". */
static void note_ratio(void *user, const trilo_finding *finding)
{
    double after, before;
    const char *text =
        strcmp(finding->rule, "T3DM-SKIN-FIT") == 0 ? strstr(finding->text, " units off on average") : NULL;
    const char *instead = text ? strstr(text, "instead of ") : NULL;
    while (text && text > finding->text && text[-1] != ' ')
        text--;
    if (instead && sscanf(text, "%lf", &after) == 1 && sscanf(instead, "instead of %lf", &before) == 1)
        *(double *)user = after / before;
}

double skin_error_left(const char *path, const trilo_t3dm_write_opts *t3dm)
{
    trilo_error err = {0};
    double ratio = 1;
    const trilo_model *model = trilo_model_load_file(test_corpus(path), NULL, &err);
    if (!model)
        FAIL("%s: %s", path, err.text);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "a.t3dm",
                                   .companion = ignore_stream,
                                   .on_finding = note_ratio,
                                   .on_finding_user = &ratio,
                                   .t3dm = t3dm};
    if (!trilo_model_write(model, &opts, ignore_bytes, NULL, &err))
        FAIL("%s: %s", path, err.text);
    trilo_model_free(model);
    return ratio;
}
