/* threads.c MODEL...: eight threads use one document and one model of each file at the same time, with everything that
 * takes a const object. Built with ThreadSanitizer, which reports a data race and makes the exit code 66. All threads
 * must get the same results. More rounds with TRILOBITE_TESTS=full. */
#include "trilobite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, ROUNDS = 2, ROUNDS_FULL = 20, SIDE = 16 };

typedef struct job {
    const trilo_document *document;
    const trilo_model *model;
    trilo_format format;
    uint64_t result;
    pthread_barrier_t *start;
} job;

static bool add_bytes(void *user, const void *bytes, size_t size)
{
    uint64_t *sum = user;
    for (size_t i = 0; i < size; i++)
        *sum = (*sum ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    return true;
}

static void add_number(uint64_t *sum, uint64_t number)
{
    add_bytes(sum, &number, sizeof number);
}

static void *work(void *user)
{
    static const trilo_format targets[] = {TRILO_FORMAT_NLM, TRILO_FORMAT_T3DM, TRILO_FORMAT_GLTF};
    job *j = user;
    trilo_error err;
    uint8_t pixels[SIDE * SIDE][4];
    const char *tests = getenv("TRILOBITE_TESTS");
    const int rounds = tests && strcmp(tests, "full") == 0 ? ROUNDS_FULL : ROUNDS;
    pthread_barrier_wait(j->start); /* the first check of the document is made by all of them */
    for (int round = 0; round < rounds; round++) {
        const trilo_tally tally = trilo_document_check(j->document, NULL, NULL);
        add_number(&j->result, tally.notes + 1000 * (uint64_t)tally.warnings);
        trilo_document_write(j->document, NULL, add_bytes, &j->result, &err);
        const trilo_model *own = trilo_document_model(j->document, &err);
        add_number(&j->result, own ? own->mesh_count : 0);
        trilo_model_free(own);
        const trilo_cost *cost = trilo_document_cost(j->document, NULL, &err);
        add_number(&j->result, cost ? cost->counts.triangles : 0);
        trilo_cost_free(cost);
        for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
            const trilo_write_opts opts = {.format = targets[i], .name = "a.x"};
            trilo_model_write(j->model, &opts, add_bytes, &j->result, &err);
        }
        trilo_player *player = trilo_player_new(j->model, NULL, &err);
        if (player && j->model->clip_count > 0) {
            trilo_player_play(player, 0, 0, NULL);
            trilo_player_advance(player, 0.25);
            add_bytes(&j->result, trilo_player_worlds(player), j->model->node_count * sizeof(trilo_mat4));
        }
        trilo_renderer *renderer = trilo_renderer_new(j->model, NULL, NULL, &err);
        if (renderer) {
            trilo_renderer_pose(renderer, player);
            const trilo_bounds box = trilo_renderer_bounds(renderer);
            add_bytes(&j->result, &box, sizeof box);
            if (trilo_renderer_draw(renderer, NULL, SIDE, SIDE, pixels, &err))
                add_bytes(&j->result, pixels, sizeof pixels);
        }
        trilo_renderer_free(renderer);
        trilo_player_free(player);
    }
    return NULL;
}

static bool try_file(const char *path)
{
    trilo_error err = {0};
    pthread_barrier_t start;
    pthread_t threads[THREADS];
    job jobs[THREADS];
    trilo_document *document = trilo_document_open_file(path, NULL, &err);
    trilo_document *other = document ? trilo_document_open_file(path, NULL, &err) : NULL;
    const trilo_model *model = other ? trilo_document_model(other, &err) : NULL;
    if (!model) {
        printf("%s: %s\n", path, err.text);
        return false;
    }
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.document = document, .model = model, .start = &start};
        if (pthread_create(&threads[i], NULL, work, &jobs[i]) != 0)
            return false;
    }
    bool same = true;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        same = same && jobs[i].result == jobs[0].result;
    }
    printf("%s: %d threads, %s\n", path, THREADS, same ? "equal results" : "DIFFERENT results");
    pthread_barrier_destroy(&start);
    trilo_model_free(model);
    trilo_document_free(other);
    trilo_document_free(document);
    return same;
}

int main(int argc, char **argv)
{
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++)
        ok = try_file(argv[i]) && ok;
    return ok ? 0 : 1;
}
