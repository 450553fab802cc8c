/* Edits of models whose clips have frames: they must go where the positions of their mesh go. */
#include "base/vec.h"
#include "harness.h"
#include "trilobite/model.h"

#include <stdlib.h>
#include <string.h>

/* Two equal meshes with the box (1, 2, 3) to (5, 4, 7), and a clip. The first has three frames, of which the first and
 * the last are one array: 8 to the right of the stored positions; in the middle it is 8 above them. The second has the
 * first two of these frames, in the same arrays. */
typedef struct fixture {
    trilo_model model;
    trilo_mesh meshes[2];
    uint32_t indices[3];
    trilo_node node;
    trilo_skin skin;
    trilo_joint joint;
    trilo_clip clip;
    trilo_track tracks[2];
    trilo_frame frames[3];
    float poses[2][3][3];
} fixture;

static const float stored[3][3] = {{1, 2, 3}, {5, 4, 3}, {3, 2, 7}};

static void fill_frames(fixture *f)
{
    for (int i = 0; i < 9; i++)
        for (int pose = 0; pose < 2; pose++)
            f->poses[pose][i / 3][i % 3] = stored[i / 3][i % 3] + (i % 3 == pose ? 8 : 0);
    for (int i = 0; i < 3; i++)
        f->frames[i] = (trilo_frame){.time = i, .positions = (const float(*)[3])f->poses[i % 2]};
    f->tracks[0] = (trilo_track){.mesh = 0, .frame_count = 3, .frames = f->frames};
    f->tracks[1] = (trilo_track){.mesh = 1, .frame_count = 2, .frames = f->frames};
    f->clip = (trilo_clip){.duration = 2, .track_count = 2, .tracks = f->tracks};
}

static void fixture_fill(fixture *f)
{
    memset(f, 0, sizeof *f);
    f->indices[1] = 1, f->indices[2] = 2;
    for (int i = 0; i < 2; i++) {
        f->meshes[i] = (trilo_mesh){.material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE};
        f->meshes[i].vertex_count = f->meshes[i].index_count = 3;
        f->meshes[i].positions = stored;
        f->meshes[i].indices = f->indices;
    }
    fill_frames(f);
    f->node = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = tl_mat4_identity()};
    f->joint = (trilo_joint){0, tl_mat4_identity()};
    f->skin = (trilo_skin){1, &f->joint};
    f->model = (trilo_model){.mesh_count = 2, .clip_count = 1, .meshes = f->meshes, .clips = &f->clip};
    f->model.nodes = &f->node;
    f->model.skins = &f->skin;
}

static const trilo_model *edited(const trilo_model *model, trilo_model_edit_opts edit)
{
    trilo_error err = {0};
    const trilo_model *result = trilo_model_edit(model, &edit, NULL, &err);
    if (!result)
        FAIL("%s: %s", err.rule, err.text);
    return result;
}

static const trilo_model_edit_opts normalize = {.normalize = true}, restore = {.restore_size = true};

static void check_frame(const trilo_model *model, uint32_t track, uint32_t frame, const float (*want)[3])
{
    CHECK(memcmp(model->clips[0].tracks[track].frames[frame].positions, want, sizeof stored) == 0);
}

/* All go by the box of the stored positions, whose centre is 3, 3, 5 and whose edge is 4: 8 to the right becomes 2. An
 * array that frames share is moved once and stays shared; the way back is exact. */
TEST(frames_of_free_meshes_move)
{
    static const float right[3][3] = {{1.5f, -0.25f, -0.5f}, {2.5f, 0.25f, -0.5f}, {2, -0.25f, 0.5f}};
    static const float above[3][3] = {{-0.5f, 1.75f, -0.5f}, {0.5f, 2.25f, -0.5f}, {0, 1.75f, 0.5f}};
    fixture f;
    fixture_fill(&f);
    const trilo_model *small = edited(&f.model, normalize), *back = edited(small, restore);
    for (uint32_t track = 0; track < 2; track++)
        for (uint32_t i = 0; i < f.tracks[track].frame_count; i++) {
            check_frame(small, track, i, i == 1 ? above : right);
            check_frame(back, track, i, (const float(*)[3])f.poses[i % 2]);
        }
    const trilo_frame *frames = small->clips[0].tracks[0].frames;
    CHECK(frames[0].positions == frames[2].positions);
    CHECK(f.poses[0][0][0] == 9); /* the original is not touched */
    trilo_model_free(back);
    trilo_model_free(small);
}

/* What a node or a skin places keeps its stored positions, and those of its frames. The other mesh is free and moves.
 */
TEST(frames_below_a_root_stay)
{
    for (int skinned = 0; skinned < 2; skinned++) {
        fixture f;
        fixture_fill(&f);
        f.model.node_count = 1;
        f.model.skin_count = skinned ? 1 : 0;
        f.meshes[0].node = 0;
        f.meshes[0].skin = skinned ? 0 : TRILO_NONE;
        const trilo_model *small = edited(&f.model, normalize), *back = edited(small, restore);
        CHECK(small->resized && !back->resized);
        for (uint32_t i = 0; i < 3; i++) {
            check_frame(small, 0, i, (const float(*)[3])f.poses[i % 2]);
            check_frame(back, 0, i, (const float(*)[3])f.poses[i % 2]);
        }
        CHECK(small->clips[0].tracks[1].frames[0].positions[0][0] == 1.5f);
        check_frame(back, 1, 0, (const float(*)[3])f.poses[0]);
        trilo_model_free(back);
        trilo_model_free(small);
    }
}

/* ---- memory ---- */

typedef struct hook {
    size_t live_bytes, most;
} hook;

static void *hook_realloc(void *user, void *old, size_t old_size, size_t new_size)
{
    hook *h = user;
    h->live_bytes += new_size - old_size;
    h->most = h->live_bytes > h->most ? h->live_bytes : h->most;
    if (new_size != 0)
        return malloc(new_size);
    free(old);
    return NULL;
}

/* Each list that finding shared arrays takes is the one too many in turn. */
TEST(every_limit)
{
    fixture f;
    fixture_fill(&f);
    f.model.resized = true;
    f.model.source_bounds = (trilo_bounds){{0, 0, 0}, {2, 2, 2}};
    const trilo_model_edit_opts both = {.restore_size = true, .normalize = true};
    size_t limit = 16;
    for (bool made = false; !made; limit += 8) {
        hook h = {0};
        trilo_error err = {0};
        const trilo_model *model = trilo_model_edit(&f.model, &both, &(trilo_memory){hook_realloc, &h, limit}, &err);
        made = model != NULL;
        CHECK_INT(err.code, made ? TRILO_CODE_OK : TRILO_CODE_NO_MEMORY);
        CHECK(!made || model->resized);
        CHECK(h.most <= limit);
        trilo_model_free(model);
        CHECK_INT(h.live_bytes, 0);
    }
    CHECK(limit > sizeof f.frames + 4 * sizeof f.poses);
}

TEST_MAIN(CASE(frames_of_free_meshes_move), CASE(frames_below_a_root_stay), CASE(every_limit))
