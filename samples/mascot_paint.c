/* mascot_paint.c: the texture.
 *
 * Sixteen colours, so that it also fits the texture memory of a Nintendo 64: eleven from dark umber to cream, which
 * patterns pick by brightness with an ordered dither, and five for eyes and cheeks.
 */
#include "geometry.h"
#include "mascot.h"
#include "png.h"

const patch patch_head = {0, 0, 32, 32};
const patch patch_tail = {32, 0, 20, 20};
const patch patch_step = {52, 0, 12, 8};
const patch patch_belly = {32, 20, 16, 12};
const patch patch_plate = {0, 32, 32, 12};
const patch patch_leg = {0, 44, 32, 10};
const patch patch_antenna = {0, 54, 32, 10};
const patch patch_eye = {32, 32, 32, 32};

enum { RAMP = 11, EYE_RIM = 11, EYE_DARK, EYE_GLOW, EYE_LIGHT, CHEEK };

static const uint8_t colors[PNG_COLORS][3] = {
    {52, 28, 20},   {76, 42, 26},   {100, 58, 32},   {124, 74, 38},   {150, 92, 44},   {176, 112, 52},
    {198, 134, 64}, {216, 156, 80}, {230, 178, 102}, {241, 200, 128}, {250, 222, 160}, {96, 54, 34},
    {26, 18, 30},   {70, 120, 140}, {255, 252, 244}, {228, 136, 92},
};

void patch_place(const patch *p, corner *c, float across, float down)
{
    c->u = ((float)p->x + 0.5f + clamp01(across) * (float)(p->width - 1)) / TEXTURE_SIDE;
    c->v = ((float)p->y + 0.5f + clamp01(down) * (float)(p->height - 1)) / TEXTURE_SIDE;
}

/* A pattern returns a brightness from 0 to 1, or -1 - colour for exactly that colour. */
typedef float pattern(float across, float down);

static float only(int color)
{
    return -1.0f - (float)color;
}

static float stripe(float value, float line, float width)
{
    const float d = (value - line) / width;
    return clamp01(1.0f - d * d);
}

static float round_spot(float x, float y, float cx, float cy, float radius)
{
    const float dx = (x - cx) / radius, dy = (y - cy) / radius;
    return clamp01(1.0f - (dx * dx + dy * dy));
}

static float paint_head(float across, float down)
{
    const float back = 1.0f - down;
    const float rim = across * across + back * back; /* 1 on the rim */
    const float glabella = (across * across) / (0.16f + 0.06f * back) + (back * back) / 0.58f;
    if (rim < 0.75f && round_spot(across, down, 0.63f, 0.43f, 0.12f) > 0.0f)
        return only(CHEEK);
    float light = 0.62f + 0.10f * (1.0f - rim);
    light += glabella < 1.0f ? 0.16f * (1.0f - glabella) : 0.0f;
    light -= 0.45f * stripe(glabella, 1.0f, 0.22f);
    light -= 0.55f * stripe(rim, 0.80f, 0.06f);
    light += 0.22f * stripe(rim, 0.95f, 0.10f);
    if (glabella < 0.8f) /* three pairs of furrows in the glabella */
        light -= 0.30f * stripe(down, 0.52f + 0.25f * across, 0.03f) * clamp01(across * 12.0f - 1.0f) +
                 0.30f * stripe(down, 0.72f + 0.20f * across, 0.03f) * clamp01(across * 12.0f - 1.0f);
    light -= 0.35f * stripe(down, 0.90f, 0.05f);
    return light;
}

static float paint_tail(float across, float down)
{
    const float rim = across * across + down * down;
    float light = 0.60f + 0.15f * (1.0f - rim);
    const float rib = down * 5.0f - across * 1.6f + 2.0f;
    light -= 0.28f * stripe(rib - (float)(int)rib, 0.5f, 0.32f) * clamp01((0.82f - rim) * 8.0f);
    light -= 0.35f * stripe(across, 0.31f - 0.10f * down, 0.06f) * clamp01((0.55f - down) * 8.0f);
    light += 0.20f * stripe(rim, 0.93f, 0.12f);
    return light;
}

static float paint_plate(float across, float down)
{
    float light = 0.70f - 0.22f * across + 0.22f * stripe(down, 0.80f, 0.35f);
    light -= 0.30f * stripe(down, 0.38f + 0.15f * across, 0.20f) * clamp01(across * 6.0f - 2.0f);
    light -= 0.32f * stripe(across, 0.33f, 0.08f);
    light += 0.16f * stripe(across, 0.0f, 0.16f);
    light += 0.30f * clamp01(across * 7.0f - 5.8f);
    return light - 0.40f * clamp01(0.25f - down) * 4.0f;
}

static float paint_step(float across, float down)
{
    return 0.55f - 0.35f * down - 0.10f * across;
}

static float paint_belly(float across, float down)
{
    return 0.72f - 0.25f * across + 0.08f * sin_turns(down * 6.0f);
}

static float paint_leg(float across, float down)
{
    return 0.55f + 0.20f * across - 0.35f * stripe(across, 0.5f, 0.06f) + 0.08f * sin_turns(down + 0.1f);
}

static float paint_antenna(float across, float down)
{
    return 0.50f + 0.25f * across + 0.16f * sin_turns(across * 7.0f) + 0.06f * sin_turns(down);
}

static float paint_eye(float across, float down)
{
    const float x = across - 0.5f, y = down - 0.5f;
    const float middle = x * x + y * y;
    if (round_spot(across, down, 0.62f, 0.34f, 0.13f) > 0.0f || round_spot(across, down, 0.40f, 0.64f, 0.06f) > 0.0f)
        return only(EYE_LIGHT);
    if (middle > 0.160f)
        return only(EYE_RIM);
    if (y > 0.10f && middle > 0.05f && middle < 0.11f)
        return only(EYE_GLOW);
    return only(EYE_DARK);
}

static uint8_t color_at(float light, uint32_t x, uint32_t y)
{
    static const uint8_t dither[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    if (light <= -1.0f)
        return (uint8_t)(-1.0f - light);
    const float step = clamp01(light) * (RAMP - 1) + ((float)dither[y % 4][x % 4] + 0.5f) / 16.0f;
    return (uint8_t)(step < RAMP - 1 ? step : RAMP - 1);
}

static void paint(uint8_t *pixels, const patch *p, pattern *brush)
{
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++) {
            const float light = brush((float)x / (float)(p->width - 1), (float)y / (float)(p->height - 1));
            pixels[(p->y + y) * TEXTURE_SIDE + p->x + x] = color_at(light, x, y);
        }
}

size_t mascot_texture(uint8_t file[TEXTURE_ROOM])
{
    uint8_t pixels[TEXTURE_SIDE * TEXTURE_SIDE] = {0};
    paint(pixels, &patch_head, paint_head);
    paint(pixels, &patch_tail, paint_tail);
    paint(pixels, &patch_plate, paint_plate);
    paint(pixels, &patch_step, paint_step);
    paint(pixels, &patch_belly, paint_belly);
    paint(pixels, &patch_leg, paint_leg);
    paint(pixels, &patch_antenna, paint_antenna);
    paint(pixels, &patch_eye, paint_eye);
    const png_image image = {TEXTURE_SIDE, TEXTURE_SIDE, pixels, colors, PNG_COLORS};
    return png_write(&image, file, TEXTURE_ROOM);
}
