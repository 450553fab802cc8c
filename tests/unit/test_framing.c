/* A camera that shows all of a model, as large as it can. */
#include "harness.h"
#include "raster/camera.h"
#include "support/render_scene.h"

#include <math.h>
#include <string.h>

static scene_model s;

/* Where a point is in the picture, from -1 to 1, by the definition of the view. */
static void project(const trilo_view *v, double aspect, const float at[3], double out[2])
{
    const double half = tan((v->fov > 0 ? v->fov : 45) * 3.14159265358979 / 360);
    const double back[3] = {v->eye.x - v->target.x, v->eye.y - v->target.y, v->eye.z - v->target.z};
    const double up[3] = {v->up.x, v->up.y, v->up.z}; /* a unit vector, at a right angle to back */
    const double from[3] = {at[0] - v->eye.x, at[1] - v->eye.y, at[2] - v->eye.z};
    const double length = sqrt(back[0] * back[0] + back[1] * back[1] + back[2] * back[2]);
    double depth = 0, height = 0, across = 0;
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        depth -= from[k] * back[k] / length;
        height += from[k] * up[k];
        across += from[k] * (up[a] * back[b] - up[b] * back[a]) / length;
    }
    CHECK(depth > 0);
    out[0] = across / (depth * half * aspect);
    out[1] = height / (depth * half);
}

static void make_model(void)
{
    scene_make(&s, 2);
    for (int m = 0; m < 2; m++)
        for (int c = 0; c < 4; c++) /* far from the origin, no two vertices alike, much deeper than wide */
            for (int k = 0; k < 3; k++)
                s.positions[m][c][k] = 30 + (float)((m * 37 + c * 17 + k * 5) % 11) * (k == 2 ? 4 : 1);
}

/* The largest and the smallest coordinate of all vertices. */
static void extent(const trilo_view *view, double aspect, double low[2], double high[2])
{
    low[0] = low[1] = 9;
    high[0] = high[1] = -9;
    for (int i = 0; i < 8; i++) {
        double at[2];
        project(view, aspect, s.positions[i / 4][i % 4], at);
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
}

static trilo_renderer *new_renderer(void)
{
    const trilo_image *const textures[8] = {NULL};
    trilo_error err;
    make_model();
    return trilo_renderer_new(&s.model, textures, NULL, &err);
}

/* Both opposite edges are reached in one direction, but for the margin of 6 %, and none is passed; the other direction
 * is centred. */
TEST(a_model_fills_the_picture)
{
    static const double angles[][2] = {{0, 0}, {90, 0}, {180, 20}, {30, 15}, {30, 90}, {45, -35}, {-1000, 1}};
    static const double aspects[] = {4.0 / 3, 0.2, 5};
    trilo_renderer *renderer = new_renderer();
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        for (size_t k = 0; k < sizeof aspects / sizeof *aspects; k++) {
            trilo_framing framing = {
                .azimuth = angles[i][0], .elevation = angles[i][1], .fov = k ? 30 : 0, .aspect = aspects[k]};
            double low[2], high[2];
            trilo_framing_add(&framing, renderer);
            const trilo_view view = trilo_framing_view(&framing);
            extent(&view, aspects[k], low, high);
            CHECK_NEAR(fmax(fmin(-low[0], high[0]), fmin(-low[1], high[1])), 1 / 1.06, 1e-3);
            CHECK_NEAR(fmax(fmax(-low[0], high[0]), fmax(-low[1], high[1])), 1 / 1.06, 1e-3);
        }
    trilo_renderer_free(renderer);
}

/* From every side inside, at one distance, and at some azimuth at an edge: in a wide picture at the upper or lower one,
 * in a narrow one at the left or right. */
TEST(an_orbited_model_stays_in_the_picture)
{
    trilo_renderer *renderer = new_renderer();
    const trilo_bounds b = trilo_renderer_bounds(renderer);
    static const double elevations[] = {0, 15, 60, -80}, aspects[] = {4.0 / 3, 0.2};
    for (size_t i = 0; i < 16; i++) { /* about the feet, and about the head */
        const trilo_vec3 pivot = {(b.min.x + b.max.x) / 2, i < 8 ? b.min.y : b.max.y, (b.min.z + b.max.z) / 2};
        const double aspect = aspects[i / 4 % 2];
        trilo_framing framing = {.elevation = elevations[i % 4], .orbiting = true, .pivot = pivot, .aspect = aspect};
        double most = 0, distance = 0;
        trilo_framing_add(&framing, renderer);
        for (int degrees = 0; degrees < 360; degrees++) {
            double low[2], high[2];
            framing.azimuth = degrees;
            const trilo_view view = trilo_framing_view(&framing);
            extent(&view, aspect, low, high);
            most = fmax(most, fmax(fmax(-low[0], high[0]), fmax(-low[1], high[1])));
            const double away =
                hypot(hypot(view.eye.x - view.target.x, view.eye.y - view.target.y), view.eye.z - view.target.z);
            CHECK_NEAR(away, degrees ? distance : away, 1e-3);
            distance = away;
        }
        CHECK_NEAR(most, 1 / 1.06, 1e-3);
    }
    trilo_renderer_free(renderer);
}

/* Two poses need as much room as both. */
TEST(every_pose_counts)
{
    trilo_framing framing = {.azimuth = 30}, wide = {.azimuth = 30};
    trilo_renderer *renderer = new_renderer(), *other;
    trilo_error err;
    trilo_framing_add(&framing, renderer);
    const trilo_view before = trilo_framing_view(&framing);
    s.positions[0][0][0] += 100;
    CHECK((other = trilo_renderer_new(&s.model, (const trilo_image *const[8]){NULL}, NULL, &err)));
    trilo_framing_add(&framing, other);
    trilo_framing_add(&wide, other);
    trilo_framing_add(&wide, renderer); /* in any order */
    const trilo_view both = trilo_framing_view(&framing), again = trilo_framing_view(&wide);
    CHECK_NEAR(both.eye.x, again.eye.x, 0);
    CHECK_NEAR(both.eye.z, again.eye.z, 0);
    CHECK(fabs(both.eye.z - before.eye.z) > 10);
    trilo_renderer_free(renderer);
    trilo_renderer_free(other);
}

/* One point, nothing, and what is no number. */
TEST(a_view_is_always_made)
{
    const trilo_framing nothing = {.azimuth = NAN, .elevation = INFINITY};
    trilo_view view = trilo_framing_view(&nothing);
    CHECK(isfinite(view.eye.x + view.eye.y + view.eye.z));
    /* Nothing is framed like a box from -1 to 1 on each axis. */
    const trilo_framing empty = {.azimuth = 30, .elevation = 20, .fov = 40, .aspect = 1};
    const trilo_view framed = trilo_view_frame(&(trilo_bounds){{-1, -1, -1}, {1, 1, 1}}, 30, 20, 40, 1);
    view = trilo_framing_view(&empty);
    CHECK(memcmp(&view, &framed, sizeof view) == 0);
    trilo_error err;
    make_model();
    for (int i = 0; i < 8; i++)
        s.positions[i / 4][i % 4][0] = s.positions[i / 4][i % 4][1] = s.positions[i / 4][i % 4][2] = i == 3 ? NAN : 7;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, (const trilo_image *const[8]){NULL}, NULL, &err);
    trilo_framing framing = {.aspect = -1};
    trilo_framing_add(&framing, renderer);
    view = trilo_framing_view(&framing);
    CHECK_NEAR(view.target.x, 7, 1e-5);
    CHECK_NEAR(view.eye.z, 8, 1e-5);
    trilo_renderer_free(renderer);
}

/* All corners of a box are within the margin of 6 %, and one of them is at its edge, from all sides and for pictures of
 * any shape. */
TEST(a_box_fills_the_picture)
{
    static const double aspects[] = {0.4, 1, 4.0 / 3, 3}, fovs[] = {20, 45, 90};
    const trilo_bounds box = {{-3, 1, 40}, {5, 2.5f, 47}};
    for (int turn = 0; turn < 360; turn += 20)
        for (int tilt = -80; tilt <= 80; tilt += 20)
            for (int i = 0; i < 12; i++) {
                const double aspect = aspects[i % 4], fov = fovs[i / 4];
                const trilo_view view = trilo_view_frame(&box, turn, tilt, fov, aspect);
                double farthest = 0;
                for (int c = 0; c < 8; c++) {
                    const float corner[3] = {c & 1 ? box.max.x : box.min.x, c & 2 ? box.max.y : box.min.y,
                                             c & 4 ? box.max.z : box.min.z};
                    double at[2];
                    project(&view, aspect, corner, at);
                    farthest = fmax(farthest, fmax(fabs(at[0]), fabs(at[1])));
                }
                CHECK_NEAR(farthest, 1 / 1.06, 1e-4);
                CHECK_NEAR(view.target.x, 1, 1e-6);
                CHECK_NEAR(view.target.y, 1.75, 1e-6);
                CHECK_NEAR(view.target.z, 43.5, 1e-5);
            }
}

TEST(a_box_that_is_none)
{
    static const trilo_bounds wrong[] = {{{1, 0, 0}, {0, 1, 1}},        {{0, 1, 0}, {1, 0, 1}},
                                         {{0, 0, 1}, {1, 1, 0}},        {{0, 0, NAN}, {1, 1, 1}},
                                         {{0, 0, 0}, {1, INFINITY, 1}}, {{-INFINITY, 0, 0}, {1, 1, 1}}};
    const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}}, point = {{2, 2, 2}, {2, 2, 2}};
    const trilo_view want = trilo_view_frame(&unit, 0, 0, 45, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const trilo_view view = trilo_view_frame(&wrong[i], 0, 0, 45, 1);
        CHECK(view.eye.x == want.eye.x && view.eye.y == want.eye.y && view.eye.z == want.eye.z);
    }
    /* A point is seen from one unit away; values that are no angles are 0, no shape of a picture is 4:3. */
    const trilo_view view = trilo_view_frame(&point, NAN, INFINITY, 45, 1);
    CHECK(view.eye.x == 2 && view.eye.y == 2 && view.eye.z == 3);
    const trilo_view shapes[] = {trilo_view_frame(&unit, 0, 0, 45, 4.0 / 3), trilo_view_frame(&unit, 0, 0, 45, 0),
                                 trilo_view_frame(&unit, 0, 0, 45, NAN), trilo_view_frame(&unit, 0, 0, 45, 1e6)};
    for (int i = 1; i < 4; i++)
        CHECK(shapes[i].eye.z == shapes[0].eye.z);
}

/* A tiny box is looked at from near by; angles and fields of view beyond their limits are 0 and 45 degrees. */
TEST(limits_of_views)
{
    const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}}, tiny = {{-1e-3f, -1e-3f, -1e-3f}, {1e-3f, 1e-3f, 1e-3f}};
    const trilo_view want = trilo_view_frame(&unit, 0, 0, 45, 1);
    static const double angles[] = {1e6, -1e6, 2e6}, fovs[] = {0, -5, 179, 200};
    for (int i = 0; i < 3; i++) {
        const trilo_view turned = trilo_view_frame(&unit, angles[i], 0, 45, 1),
                         raised = trilo_view_frame(&unit, 0, angles[i], 45, 1);
        CHECK(turned.eye.x == want.eye.x && turned.eye.z == want.eye.z && raised.eye.y == want.eye.y &&
              raised.eye.z == want.eye.z);
    }
    const trilo_view turned = trilo_view_frame(&unit, 999990, 0, 45, 1), /* 270 degrees */
        left = trilo_view_frame(&unit, 270, 0, 45, 1);
    CHECK_NEAR(turned.eye.x, left.eye.x, 1e-4);
    CHECK(turned.eye.x < -2);
    for (int i = 0; i < 4; i++)
        CHECK(trilo_view_frame(&unit, 0, 0, fovs[i], 1).eye.z == want.eye.z);
    /* 1.06 / tan(89.25 degrees) and one unit more, to the front of the box */
    CHECK_NEAR(trilo_view_frame(&unit, 0, 0, 178.5, 1).eye.z, 1 + 1.06 * 0.0130907, 1e-4);
    CHECK_NEAR(trilo_view_frame(&tiny, 0, 0, 45, 1).eye.z, want.eye.z / 1000, 1e-6);
    for (int k = 0; k < 3; k++) { /* flat along an axis is a box, too */
        trilo_bounds flat = unit;
        (&flat.min.x)[k] = (&flat.max.x)[k] = 3;
        const trilo_view view = trilo_view_frame(&flat, 0, 0, 45, 1);
        CHECK((&view.target.x)[k] == 3);
    }
}

/* Where the eye is too near to its target, or too far, the camera looks along -z; a vector up that is none is +y. */
TEST(directions_that_are_none)
{
    static const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    static const float distances[] = {1e-31f, 1e31f, 1e-20f, 1e20f};
    for (int i = 0; i < 4; i++) {
        const trilo_view from_right = {.eye = {distances[i], 0, 0}},
                         up = {.eye = {0, 0, 9}, .up = {distances[i], 0, 0}};
        const tl_camera c = tl_camera_of(&from_right, &unit, 1), d = tl_camera_of(&up, &unit, 1);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR((double)c.rotation[6 + k], k == (i < 2 ? 2 : 0), 0);
            CHECK_NEAR((double)d.rotation[3 + k], k == (i < 2 ? 1 : 0), 0);
        }
    }
}

/* The vector up decides as long as it is more than 0.00001 off the line of sight. */
TEST(up_that_is_nearly_the_line_of_sight)
{
    static const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < 4; i++) {
        const float off = i % 2 ? 0.9e-5f : 1.1e-5f;
        const trilo_view view = {.eye = {0, i < 2 ? 7.0f : -7.0f, 0}, .up = {off, 1, 0}};
        const tl_camera c = tl_camera_of(&view, &unit, 1);
        CHECK_NEAR((double)c.rotation[0], i % 2, 1e-6); /* right is x, or z (-z from below) */
        CHECK_NEAR((double)c.rotation[1], 0, 1e-6);
        CHECK_NEAR((double)c.rotation[2], i % 2 ? 0 : i < 2 ? 1 : -1, 1e-6);
    }
}

/* Along z, an up that is the line of sight leaves x to the right and y up (from behind, x to the right, too). */
TEST(up_that_is_the_line_of_sight)
{
    static const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    for (int behind = 0; behind < 2; behind++) {
        const trilo_view view = {.eye = {0, 0, behind ? -6.0f : 6.0f}, .up = {0, 0, 2}};
        const tl_camera c = tl_camera_of(&view, &unit, 1);
        const float want[9] = {1, 0, 0, 0, behind ? -1.0f : 1.0f, 0, 0, 0, behind ? -1.0f : 1.0f};
        for (int i = 0; i < 9; i++)
            CHECK_NEAR((double)c.rotation[i], (double)want[i], 0);
    }
}

/* Pictures whose shape is no number are 4:3, also where the width decides. */
TEST(wide_things_in_pictures_without_a_shape)
{
    static const trilo_bounds wide = {{-30, -1, -1}, {30, 1, 1}};
    static const double shapes[] = {0, -2, NAN, 1e6, 2e6};
    const trilo_view want = trilo_view_frame(&wide, 0, 0, 45, 4.0 / 3);
    CHECK_NEAR((double)want.eye.z, 1 + 30 * 1.06 / (tan(22.5 * 3.14159265358979 / 180) * 4 / 3), 1e-4);
    make_model();
    for (int i = 0; i < 8; i++)
        s.positions[i / 4][i % 4][0] *= 40;
    trilo_renderer *renderer = trilo_renderer_new(&s.model, (const trilo_image *const[8]){NULL}, NULL, NULL);
    trilo_framing known = {.aspect = 4.0 / 3};
    trilo_framing_add(&known, renderer);
    const trilo_view framed = trilo_framing_view(&known);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        CHECK(trilo_view_frame(&wide, 0, 0, 45, shapes[i]).eye.z == want.eye.z);
        trilo_framing framing = {.aspect = shapes[i]};
        trilo_framing_add(&framing, renderer);
        const trilo_view view = trilo_framing_view(&framing);
        CHECK(view.eye.x == framed.eye.x && view.eye.z == framed.eye.z);
    }
    CHECK(trilo_view_frame(&wide, 0, 0, 45, 999999).eye.z < 4);
    trilo_renderer_free(renderer);
}

/* Every height above 0 makes a view without perspective. */
TEST(low_views_without_perspective)
{
    static const trilo_bounds unit = {{-1, -1, -1}, {1, 1, 1}};
    const trilo_view view = {.eye = {0, 0, 5}, .height = 0.5f};
    const tl_camera c = tl_camera_of(&view, &unit, 2);
    CHECK(c.orthographic && c.scale_y == 4 && c.scale_x == 2);
}

TEST_MAIN(CASE(a_box_fills_the_picture), CASE(a_box_that_is_none), CASE(limits_of_views),
          CASE(directions_that_are_none), CASE(up_that_is_nearly_the_line_of_sight), CASE(up_that_is_the_line_of_sight),
          CASE(wide_things_in_pictures_without_a_shape), CASE(low_views_without_perspective),
          CASE(a_model_fills_the_picture), CASE(an_orbited_model_stays_in_the_picture), CASE(every_pose_counts),
          CASE(a_view_is_always_made))
