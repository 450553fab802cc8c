/* bench_player.c: the clips of the corpus, played from memory and from their streams, at 60 poses a second. */
#include "harness.h"

#include <trilobite/player.h>

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10, POSES = 3000 };

typedef struct subject {
    trilo_document *document;
    const trilo_model *model;
    trilo_stream *stream;
    trilo_player *smooth, *exact, *streaming;
} subject;

static bool run_player(trilo_player *player)
{
    for (int i = 0; i < POSES; i++)
        trilo_player_advance(player, 1.0 / 60);
    return true;
}

static bool run_smooth(void *context)
{
    return run_player(((subject *)context)->smooth);
}

static bool run_exact(void *context)
{
    return run_player(((subject *)context)->exact);
}

static bool run_stream(void *context)
{
    return run_player(((subject *)context)->streaming);
}

static bool prepare(subject *s, const char *path)
{
    const trilo_player_opts smooth = {.sampling = TRILO_SAMPLING_SMOOTH};
    s->document = trilo_document_open_file(path, NULL, NULL);
    s->model = s->document ? trilo_document_model(s->document, NULL) : NULL;
    if (!s->model || s->model->clip_count == 0)
        return false;
    s->stream = trilo_document_stream(s->document, 0, NULL, NULL);
    s->smooth = trilo_player_new(s->model, &smooth, NULL);
    s->exact = trilo_player_new(s->model, NULL, NULL);
    s->streaming = trilo_player_new(s->model, NULL, NULL);
    return s->stream && s->smooth && s->exact && s->streaming && trilo_player_play(s->smooth, 0, 0, NULL) &&
           trilo_player_play(s->exact, 0, 0, NULL) && trilo_player_play_stream(s->streaming, 0, s->stream, NULL);
}

static bool measure(bench *b, subject *s)
{
    bench_task tasks[3] = {
        {.name = "player/smooth", .run = run_smooth, .context = s},
        {.name = "player/exact", .run = run_exact, .context = s},
        {.name = "player/stream", .run = run_stream, .context = s},
    };
    if (!bench_time(tasks, 3, ROUNDS))
        return false;
    for (int i = 0; i < 3; i++)
        bench_add(b, &tasks[i], (double)POSES * s->model->node_count, "bones")->target = i == 0 ? "1 M/s" : NULL;
    return true;
}

bool bench_player(bench *b)
{
    static const char file[] = "t3dm/09_anim_viewer/filesystem/cath.t3dm";
    const char *corpus = getenv("TRILOBITE_CORPUS");
    char path[BENCH_PATH];
    subject s = {0};
    if (!corpus || strlen(corpus) + sizeof file + 1 > sizeof path) {
        bench_skip(b, "player", "no cath.t3dm in the corpus (TRILOBITE_CORPUS)");
        return true;
    }
    snprintf(path, sizeof path, "%s/%s", corpus, file);
    const bool there = prepare(&s, path);
    const bool ok = !there || measure(b, &s);
    if (!there)
        bench_skip(b, "player", "no cath.t3dm in the corpus (TRILOBITE_CORPUS)");
    trilo_player_free(s.smooth);
    trilo_player_free(s.exact);
    trilo_player_free(s.streaming);
    trilo_stream_free(s.stream);
    trilo_model_free(s.model);
    trilo_document_free(s.document);
    return ok;
}
