/* bench_helper_bones.c: how far vertices that follow several bones are off in T3DM, where each is bound to one: as the
 * encoder reports it, with more and more helper bones, beside the strongest bones. */
#include "buffer.h"
#include "mascot.h"

#include <trilobite/load.h>
#include <trilobite/write.h>

#include <stdlib.h>
#include <string.h>

static const uint32_t helper_counts[] = {0, 2, 4, 8, 16};
enum { COUNTS = sizeof helper_counts / sizeof helper_counts[0] };

static const struct {
    const char *row, *path; /* in the corpus; NULL: the mascot */
} subjects[] = {
    {"helper-bones/mascot", NULL},
    {"helper-bones/CesiumMan", "gltf/CesiumMan/CesiumMan.glb"},
    {"helper-bones/Fox", "gltf/Fox/Fox.glb"},
    {"helper-bones/RiggedFigure", "gltf/RiggedFigure/RiggedFigure.glb"},
};

typedef struct report {
    double after, before;
    unsigned bones;
} report;

/* The finding about all meshes, or about the only one if there are no helper bones. */
static void read_finding(void *user, const trilo_finding *finding)
{
    report *r = user;
    const char *text = finding->text, *start = strstr(text, "they are ");
    if (strcmp(finding->rule, "T3DM-SKIN-FIT") != 0)
        return;
    if (start)
        sscanf(start, "they are %lf units off on average (%*f at most) instead of %lf", &r->after, &r->before);
    else if ((start = strstr(text, "several bones are ")) != NULL) {
        sscanf(text, "%u", &r->bones);
        sscanf(start, "several bones are %lf units off on average instead of %lf", &r->after, &r->before);
    }
}

static bool ignore_stream(void *user, const char *name, trilo_bytes bytes)
{
    (void)user, (void)name, (void)bytes;
    return true;
}

static bool measure(const trilo_model *model, uint32_t helpers, report *r)
{
    trilo_error err = {0};
    bench_buffer out = {0};
    const trilo_t3dm_write_opts t3dm = {.skin_fit = true, .helper_bones = helpers};
    const trilo_write_opts opts = {.format = TRILO_FORMAT_T3DM,
                                   .name = "out.t3dm",
                                   .companion = ignore_stream,
                                   .on_finding = read_finding,
                                   .on_finding_user = r,
                                   .t3dm = &t3dm};
    *r = (report){0};
    const bool ok = trilo_model_write(model, &opts, bench_keep, &out, &err);
    bench_buffer_free(&out);
    return ok ? r->before > 0 || bench_fail("helper-bones", "no vertex follows several bones")
              : bench_fail("helper-bones", err.text);
}

static bool measure_model(bench *b, const char *row, const trilo_model *model)
{
    for (int i = 0; i < COUNTS; i++) {
        report r;
        if (!measure(model, helper_counts[i], &r))
            return false;
        if (b->live)
            fprintf(b->live, "%-26s at most %2u helper bones: %2u, %5.1f %% less error\n", row,
                    (unsigned)helper_counts[i], r.bones, 100 * (1 - r.after / r.before));
        if (helper_counts[i] == 8)
            bench_add_size(b, &(bench_size){.name = row,
                                            .what = "1/1000 units off, 8 bones",
                                            .ours = 1000 * r.after,
                                            .theirs = 1000 * r.before,
                                            .target = "0.6"});
    }
    return true;
}

bool bench_helper_bones(bench *b)
{
    const char *corpus = getenv("TRILOBITE_CORPUS");
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof subjects / sizeof subjects[0]; i++) {
        char path[BENCH_PATH];
        trilo_error err = {0};
        if (subjects[i].path)
            snprintf(path, sizeof path, "%s/%s", corpus && *corpus ? corpus : "../shared/corpus", subjects[i].path);
        else if (!bench_mascot(b, path))
            return false;
        const trilo_model *model = trilo_model_load_file(path, NULL, &err);
        if (!model && subjects[i].path && err.code == TRILO_CODE_CANT_READ) {
            bench_skip(b, subjects[i].row, "not in the corpus (TRILOBITE_CORPUS)");
            continue;
        }
        ok = model ? measure_model(b, subjects[i].row, model) : bench_fail(path, err.text);
        trilo_model_free(model);
    }
    return ok;
}
