/* Tracks of frames: which frame shows, what lies between two, and who cannot hold them. */
#include "harness.h"
#include "support/buffer.h"
#include "trilobite/trilobite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- moments ---- */

/* Gaps of 1, of half a thousandth, which is none, and of 1.9995; the clip ends 2 behind the last frame. */
static const trilo_frame four[4] = {{.time = 1}, {.time = 2}, {.time = 2.0005}, {.time = 4}};
static const trilo_track walk = {.mesh = 0, .frame_count = 4, .frames = four};
enum { WALK_END = 6 };

static void check_at(double seconds, trilo_frame_mode mode, uint32_t frame, uint32_t next, double weight)
{
    const trilo_frame_at at = trilo_track_at(&walk, WALK_END, seconds, mode);
    CHECK_INT(at.frame, frame);
    CHECK_INT(at.next, next);
    CHECK_NEAR(at.weight, weight, 1e-12);
    CHECK((at.weight == 0) == (weight == 0));
}

/* What holds is one frame and no other. */
static void check_held(double seconds, trilo_frame_mode mode, uint32_t frame)
{
    check_at(seconds, mode, frame, frame, 0);
}

TEST(held_frames)
{
    static const struct {
        double seconds;
        uint32_t frame;
    } moments[] = {{-INFINITY, 0}, {-5, 0},   {0.999, 0}, {1, 0}, {1.999, 0}, {2, 1},        {2.0004, 1},
                   {2.0005, 2},    {3.99, 2}, {4, 3},     {6, 3}, {99, 3},    {INFINITY, 3}, {NAN, 0}};
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++)
        check_held(moments[i].seconds, TRILO_FRAME_MODE_HOLD, moments[i].frame);
}

TEST(blended_frames)
{
    for (int mode = TRILO_FRAME_MODE_BLEND; mode <= TRILO_FRAME_MODE_LOOP; mode++) {
        const trilo_frame_mode m = (trilo_frame_mode)mode;
        check_held(-5, m, 0);
        check_held(-INFINITY, m, 0);
        check_held(NAN, m, 0);
        check_at(1, m, 0, 1, 0);
        check_at(1.25, m, 0, 1, 0.25);
        check_at(1.75, m, 0, 1, 0.75);
        check_held(2, m, 1); /* too short a way to the next */
        check_held(2.0004, m, 1);
        check_at(2.0005, m, 2, 3, 0);
        check_at(3, m, 2, 3, 0.9995 / 1.9995);
    }
}

/* The last frame stays, or goes over into the first while the clip lasts: 0.5 of 2 seconds is a quarter. */
TEST(behind_the_last_frame)
{
    static const double moments[] = {4, 4.5, 6, 7, INFINITY}, weights[] = {0, 0.25, 1, 1, 1};
    for (int i = 0; i < 5; i++) {
        check_held(moments[i], TRILO_FRAME_MODE_BLEND, 3);
        check_at(moments[i], TRILO_FRAME_MODE_LOOP, 3, 0, weights[i]);
    }
}

/* No room behind the last frame, or none that is a number: it stays. */
TEST(clips_that_end_early)
{
    static const double ends[] = {4, 4.0009, 1, -1, NAN};
    for (int i = 0; i < 5; i++) {
        const trilo_frame_at at = trilo_track_at(&walk, ends[i], 4.5, TRILO_FRAME_MODE_LOOP);
        CHECK_INT(at.frame, 3);
        CHECK_INT(at.next, 3);
        CHECK(at.weight == 0);
    }
    CHECK(trilo_track_at(&walk, INFINITY, INFINITY, TRILO_FRAME_MODE_LOOP).weight == 0);
}

/* A gap of a thousandth is long enough. */
TEST(the_shortest_gap)
{
    const trilo_frame two[2] = {{.time = 0}, {.time = 0.001}};
    const trilo_frame_at at =
        trilo_track_at(&(trilo_track){.mesh = 0, .frame_count = 2, .frames = two}, 1, 0.0005, TRILO_FRAME_MODE_BLEND);
    CHECK_INT(at.next, 1);
    CHECK_NEAR(at.weight, 0.5, 1e-12);
}

TEST(one_frame_or_none)
{
    for (int mode = TRILO_FRAME_MODE_HOLD; mode <= TRILO_FRAME_MODE_LOOP; mode++)
        for (uint32_t count = 0; count < 2; count++)
            for (int seconds = -1; seconds < 8; seconds++) {
                const trilo_track track = {.mesh = 0, .frame_count = count, .frames = count ? four : NULL};
                const trilo_frame_at at = trilo_track_at(&track, WALK_END, seconds, (trilo_frame_mode)mode);
                CHECK(at.frame == 0 && at.next == 0 && at.weight == 0);
            }
}

TEST(every_frame_is_found)
{
    static trilo_frame frames[100];
    for (int i = 0; i < 100; i++)
        frames[i].time = i;
    for (uint32_t count = 2; count <= 100; count++)
        for (uint32_t i = 0; i + 1 < count; i++) {
            const trilo_track track = {.mesh = 0, .frame_count = count, .frames = frames};
            const trilo_frame_at at = trilo_track_at(&track, 200, i + 0.5, TRILO_FRAME_MODE_BLEND);
            CHECK_INT(at.frame, i);
            CHECK_INT(at.next, i + 1);
            CHECK(at.weight == 0.5);
        }
}

/* ---- vertices ---- */

static void check_vector(const float got[3], double x, double y, double z)
{
    CHECK_NEAR(got[0], x, 1e-6);
    CHECK_NEAR(got[1], y, 1e-6);
    CHECK_NEAR(got[2], z, 1e-6);
}

/* Two meshes of two vertices; the clip has three frames of mesh 1 at 0, 1 and 2 seconds, and lasts 4. The second frame
 * has normals of its own: of the first vertex another one, of the second the same, which is only half as long as one.
 * Numbers that have no exact binary form show whether something was calculated that should have been copied. */
static const float stored[2][3] = {{-1, -1, -1}, {-2, -2, -2}}, stored_normals[2][3] = {{1, 0, 0}, {0, 0, 0.5f}};
static const float turned_normals[2][3] = {{0, 1, 0}, {0, 0, 0.5f}};
static const float pose_a[2][3] = {{0.1f, 0.2f, 0.3f}, {1e30f, 0, 7}},
                   pose_b[2][3] = {{0.5f, 1, -0.1f}, {-1e30f, 8, 7}};

typedef struct scene {
    trilo_model model;
    trilo_mesh meshes[2];
    trilo_clip clips[2];
    trilo_track track;
    trilo_frame frames[3];
    float p[2][3], n[2][3];
} scene;

static void scene_fill(scene *s)
{
    memset(s, 0, sizeof *s);
    for (int i = 0; i < 2; i++) {
        s->meshes[i] = (trilo_mesh){.material = TRILO_NONE, .node = TRILO_NONE, .skin = TRILO_NONE, .vertex_count = 2};
        s->meshes[i].positions = stored;
        s->meshes[i].normals = stored_normals;
    }
    s->frames[0] = (trilo_frame){0, pose_a, NULL};
    s->frames[1] = (trilo_frame){1, pose_b, turned_normals};
    s->frames[2] = (trilo_frame){2, pose_a, NULL};
    s->track = (trilo_track){.mesh = 1, .frame_count = 3, .frames = s->frames};
    s->clips[0] = (trilo_clip){.name = {"wave", 4}, .duration = 4, .track_count = 1, .tracks = &s->track};
    s->model = (trilo_model){.mesh_count = 2, .meshes = s->meshes, .clip_count = 1, .clips = s->clips};
}

static void pose(scene *s, uint32_t mesh, uint32_t clip, double seconds, trilo_frame_mode mode)
{
    memset(s->p, 0xEE, sizeof s->p);
    memset(s->n, 0xEE, sizeof s->n);
    trilo_pose_frame(&s->model, mesh, clip, seconds, mode, s->p, s->n);
}

static void check_copied(const scene *s, const float (*positions)[3], const float (*normals)[3])
{
    CHECK(memcmp(s->p, positions, sizeof s->p) == 0);
    CHECK(memcmp(s->n, normals, sizeof s->n) == 0);
}

/* A quarter of the way from 0.1, 0.2, 0.3 to 0.5, 1, -0.1; the normals 1,0,0 and 0,1,0 mix to 0.75, 0.25, 0, which is
 * 0.7905694 long. */
TEST(a_mix_of_two)
{
    scene s;
    scene_fill(&s);
    pose(&s, 1, 0, 0.25, TRILO_FRAME_MODE_BLEND);
    check_vector(s.p[0], 0.2, 0.4, 0.2);
    CHECK_NEAR(s.p[1][0] / 1e30, 0.5, 1e-6);
    CHECK(s.p[1][1] == 2 && s.p[1][2] == 7);
    check_vector(s.n[0], 0.9486833, 0.3162278, 0);
    CHECK(memcmp(s.n[1], stored_normals[1], sizeof s.n[1]) == 0);
    pose(&s, 1, 0, 3, TRILO_FRAME_MODE_LOOP); /* from the last to the first, which are one array */
    check_copied(&s, pose_a, stored_normals);
}

/* Opposite normals meet in none. */
TEST(normals_without_a_direction)
{
    static const float back[2][3] = {{-1, 0, 0}, {0, 0, 0.5f}};
    scene s;
    scene_fill(&s);
    s.frames[1].normals = back;
    pose(&s, 1, 0, 0.5, TRILO_FRAME_MODE_BLEND);
    check_vector(s.n[0], 0, 0, 0);
    pose(&s, 1, 0, 0.75, TRILO_FRAME_MODE_BLEND);
    check_vector(s.n[0], -1, 0, 0);
}

TEST(frames_are_copied_to_the_bit)
{
    scene s;
    scene_fill(&s);
    for (int mode = TRILO_FRAME_MODE_HOLD; mode <= TRILO_FRAME_MODE_LOOP; mode++) {
        pose(&s, 1, 0, 0, (trilo_frame_mode)mode);
        check_copied(&s, pose_a, stored_normals);
        pose(&s, 1, 0, 1, (trilo_frame_mode)mode);
        check_copied(&s, pose_b, turned_normals);
        pose(&s, 1, 0, NAN, (trilo_frame_mode)mode);
        check_copied(&s, pose_a, stored_normals);
    }
    pose(&s, 1, 0, 1.999, TRILO_FRAME_MODE_HOLD);
    check_copied(&s, pose_b, turned_normals);
    s.track.frame_count = 2; /* now the last one goes over into another, and arrives */
    s.meshes[1].normals = pose_b;
    pose(&s, 1, 0, 4, TRILO_FRAME_MODE_LOOP);
    check_copied(&s, pose_a, pose_b);
    pose(&s, 1, 0, 99, TRILO_FRAME_MODE_BLEND);
    check_copied(&s, pose_b, turned_normals);
}

/* A mesh without a track, a clip that is not there, a track without frames: as the mesh is stored. */
TEST(where_no_frame_says_otherwise)
{
    scene s;
    scene_fill(&s);
    pose(&s, 0, 0, 1, TRILO_FRAME_MODE_BLEND);
    check_copied(&s, stored, stored_normals);
    pose(&s, 1, TRILO_NONE, 1, TRILO_FRAME_MODE_BLEND);
    check_copied(&s, stored, stored_normals);
    s.track.frame_count = 0;
    pose(&s, 1, 0, 1, TRILO_FRAME_MODE_BLEND);
    check_copied(&s, stored, stored_normals);
    pose(&s, 2, 0, 1, TRILO_FRAME_MODE_BLEND); /* no such mesh: nothing is written */
    static const uint8_t untouched[sizeof s.p] = {0xEE, 0xEE, 0xEE, 0xEE};
    CHECK(memcmp(s.p, untouched, 4) == 0 && memcmp(s.n, untouched, 4) == 0);
}

/* Zeros where there are none; a frame that brings some starts from there. */
TEST(meshes_without_normals)
{
    scene s;
    scene_fill(&s);
    s.meshes[1].normals = NULL;
    pose(&s, 1, 0, 0, TRILO_FRAME_MODE_BLEND);
    check_vector(s.n[0], 0, 0, 0);
    check_vector(s.n[1], 0, 0, 0);
    pose(&s, 1, 0, 0.25, TRILO_FRAME_MODE_BLEND);
    check_vector(s.n[0], 0, 1, 0);
    pose(&s, 1, TRILO_NONE, 0, TRILO_FRAME_MODE_BLEND);
    check_vector(s.n[1], 0, 0, 0);
}

TEST(either_may_be_left_out)
{
    scene s;
    scene_fill(&s);
    for (double seconds = 0; seconds < 1; seconds += 0.25) {
        scene other = s;
        pose(&s, 1, 0, seconds, TRILO_FRAME_MODE_BLEND);
        trilo_pose_frame(&s.model, 1, 0, seconds, TRILO_FRAME_MODE_BLEND, other.p, NULL);
        trilo_pose_frame(&s.model, 1, 0, seconds, TRILO_FRAME_MODE_BLEND, NULL, other.n);
        CHECK(memcmp(s.p, other.p, sizeof s.p) == 0 && memcmp(s.n, other.n, sizeof s.n) == 0);
    }
    s.meshes[1].vertex_count = 0; /* no vertex, no arrays */
    s.frames[0].positions = s.frames[1].positions = NULL;
    trilo_pose_frame(&s.model, 1, 0, 0.5, TRILO_FRAME_MODE_BLEND, NULL, NULL);
    trilo_pose_frame(&s.model, 1, 0, 0, TRILO_FRAME_MODE_BLEND, s.p, s.n);
}

/* Tracks stand in any order, and not every mesh has one. */
TEST(tracks_in_any_order)
{
    scene s;
    scene_fill(&s);
    const trilo_frame other = {0, pose_b, NULL};
    const trilo_track tracks[2] = {{.mesh = 1, .frame_count = 1, .frames = s.frames},
                                   {.mesh = 0, .frame_count = 1, .frames = &other}};
    s.clips[0].track_count = 2;
    s.clips[0].tracks = tracks;
    pose(&s, 0, 0, 0, TRILO_FRAME_MODE_HOLD);
    check_copied(&s, pose_b, stored_normals);
    pose(&s, 1, 0, 0, TRILO_FRAME_MODE_HOLD);
    check_copied(&s, pose_a, stored_normals);
}

/* Frame, then node: a quarter of the way is 0.2, 0.4, 0.2, and the node puts it 10 up. */
TEST(frames_are_transformed_by_their_node)
{
    scene s;
    scene_fill(&s);
    const trilo_mat4 up = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 10, 0, 1}};
    s.meshes[1].node = 0;
    pose(&s, 1, 0, 0.25, TRILO_FRAME_MODE_BLEND);
    trilo_pose_vertices(&s.model, 1, &up, NULL, (const float(*)[3])s.p, (const float(*)[3])s.n, s.p, s.n);
    check_vector(s.p[0], 0.2, 10.4, 0.2);
    check_vector(s.n[0], 0.9486833, 0.3162278, 0);
}

/* ---- formats without frames ---- */

typedef struct written {
    buffer file, stream;
    char heard[1024];
    uint32_t streams;
} written;

static void note(void *user, const trilo_finding *finding)
{
    written *w = user;
    const size_t used = strlen(w->heard);
    if (strstr(finding->rule, "-FRAMES") || strstr(finding->rule, "CLIP"))
        snprintf(w->heard + used, sizeof w->heard - used, "%s %s: %s\n", finding->rule, finding->path, finding->text);
    else
        CHECK(strstr(finding->rule, "ANIM-EMPTY") == NULL);
}

static bool keep_stream(void *user, const char *name, trilo_bytes bytes)
{
    written *w = user;
    w->streams++;
    CHECK_STR(name, "wave.0.sdata");
    return buffer_sink(&w->stream, bytes.data, bytes.size);
}

static bool give_stream(void *user, const char *name, trilo_bytes *bytes)
{
    const written *w = user;
    *bytes = (trilo_bytes){w->stream.data, w->stream.size};
    return strcmp(name, "wave.0.sdata") == 0;
}

static const trilo_model *through(trilo_format format, const trilo_model *model, written *w)
{
    trilo_error err = {0};
    memset(w, 0, sizeof *w);
    trilo_write_opts opts = {.format = format, .name = "wave.x", .on_finding = note, .on_finding_user = w};
    opts.companion = keep_stream;
    opts.companion_user = w;
    opts.t3dm = &(trilo_t3dm_write_opts){.scale = 1};
    if (!trilo_model_write(model, &opts, buffer_sink, &w->file, &err))
        FAIL("%s: %s", err.path, err.text);
    const trilo_load_opts load = {.companion = give_stream, .companion_user = w, .name = "wave.x"};
    const trilo_model *again = trilo_model_load(w->file.data, w->file.size, &load, &err);
    if (!again)
        FAIL("%s: %s", err.path, err.text);
    buffer_free(&w->file);
    buffer_free(&w->stream);
    return again;
}

/* A triangle on a node, with all that the formats want. */
typedef struct body {
    scene s;
    trilo_node node;
    trilo_channel channel;
    float positions[3][3], key[2][3];
    uint32_t indices[3];
    double times[2];
} body;

static void body_fill(body *b)
{
    static const float corners[3][3] = {{0, 0, 0}, {20, 0, 0}, {0, 30, 0}};
    memset(b, 0, sizeof *b);
    scene_fill(&b->s);
    memcpy(b->positions, corners, sizeof corners);
    b->indices[1] = 1, b->indices[2] = 2;
    trilo_mesh *mesh = &b->s.meshes[0];
    mesh->vertex_count = mesh->index_count = 3;
    mesh->positions = (const float(*)[3])b->positions;
    mesh->normals = NULL;
    mesh->indices = b->indices;
    b->s.model.mesh_count = 1;
    b->s.track = (trilo_track){.mesh = 0, .frame_count = 3, .frames = b->s.frames};
    for (int i = 0; i < 3; i++)
        b->s.frames[i] = (trilo_frame){.time = i, .positions = mesh->positions};
    b->times[1] = 1;
    b->key[1][0] = 5;
    b->channel =
        (trilo_channel){.target = TRILO_TARGET_TRANSLATION, .key_count = 2, .times = b->times, .values = b->key[0]};
    const trilo_mat4 identity = {{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}};
    b->node = (trilo_node){.parent = TRILO_NONE, .rotation.w = 1, .scale = {1, 1, 1}, .local = identity};
}

/* A clip of nothing but frames goes away whole; the triangle stays, and no bones are made for its sake. */
TEST(clips_of_frames_are_lost)
{
    for (uint32_t nodes = 0; nodes < 2; nodes++) {
        body b;
        body_fill(&b);
        b.s.model.node_count = nodes;
        b.s.model.nodes = &b.node;
        written w;
        const trilo_model *nlm = through(TRILO_FORMAT_NLM, &b.s.model, &w);
        CHECK_STR(w.heard, "NLM-LOST-FRAMES clips[0]: the clip \"wave\" is lost: it has only vertex frames (3)\n");
        CHECK_INT(nlm->clip_count, 0);
        CHECK_INT(nlm->node_count, 0);
        CHECK(memcmp(nlm->meshes[0].positions, b.positions, sizeof b.positions) == 0);
        trilo_model_free(nlm);

        const trilo_model *t3dm = through(TRILO_FORMAT_T3DM, &b.s.model, &w);
        CHECK_STR(w.heard, "T3DM-LOST-FRAMES clips[0]: the clip \"wave\" is lost: it has only vertex frames (3)\n");
        CHECK_INT(t3dm->clip_count, 0);
        CHECK_INT(t3dm->node_count, 0);
        CHECK_INT(w.streams, 0);
        CHECK_INT(t3dm->meshes[0].index_count, 3);
        trilo_model_free(t3dm);
    }
}

/* Three clips: frames; both; frames. The one with keys is written as the only one, without its frames. */
TEST(clips_of_both_keep_their_keys)
{
    static const char lost[] = "LOST-FRAMES clips[0]: the clip \"wave\" is lost: it has only vertex frames (3)\n";
    static const char both[] = "LOST-FRAMES clips[1]: the frames (2) of the clip \"nod\" are lost\n";
    static const char last[] = "LOST-FRAMES clips[2]: the clip is lost: it has only vertex frames (3)\n";
    body b;
    body_fill(&b);
    const trilo_track two = {.mesh = 0, .frame_count = 2, .frames = b.s.frames};
    trilo_clip clips[3] = {b.s.clips[0], {.name = {"nod", 3}, .duration = 1}, b.s.clips[0]};
    clips[1].channel_count = clips[1].track_count = 1;
    clips[1].channels = &b.channel;
    clips[1].tracks = &two;
    clips[2].name = (trilo_str){NULL, 0};
    b.s.model.clip_count = 3;
    b.s.model.clips = clips;
    b.s.model.node_count = 1;
    b.s.model.nodes = &b.node;
    b.s.meshes[0].node = 0;
    static const struct {
        trilo_format format;
        const char *name;
    } formats[] = {{TRILO_FORMAT_NLM, "NLM"}, {TRILO_FORMAT_T3DM, "T3DM"}};
    for (int i = 0; i < 2; i++) {
        written w;
        char want[1024];
        const char *name = formats[i].name;
        const trilo_model *again = through(formats[i].format, &b.s.model, &w);
        snprintf(want, sizeof want, "%s-%s%s-%s%s-%s", name, lost, name, both, name, last);
        CHECK_STR(w.heard, want);
        CHECK_INT(again->clip_count, 1);
        CHECK_INT(again->clips[0].track_count, 0);
        trilo_mat4 local;
        CHECK_INT(again->node_count, 1);
        trilo_pose_locals(again, 0, 0.5, &local);
        CHECK_NEAR(local.m[12], 2.5, 1e-3);
        trilo_model_free(again);
    }
}

TEST_MAIN(CASE(held_frames), CASE(blended_frames), CASE(behind_the_last_frame), CASE(clips_that_end_early),
          CASE(the_shortest_gap), CASE(one_frame_or_none), CASE(every_frame_is_found), CASE(a_mix_of_two),
          CASE(normals_without_a_direction), CASE(frames_are_copied_to_the_bit), CASE(where_no_frame_says_otherwise),
          CASE(meshes_without_normals), CASE(either_may_be_left_out), CASE(tracks_in_any_order),
          CASE(frames_are_transformed_by_their_node), CASE(clips_of_frames_are_lost),
          CASE(clips_of_both_keep_their_keys))
