/* Few colours that stand for many: median cut. Colours are counted in 32 * 32 * 32 bins, which keeps those of the
 * console's look apart exactly; a box of bins is cut where half of its pixels are on each side, until there are enough
 * boxes. Nothing but whole numbers, so it is the same on every machine. */
#include "image/image.h"

enum { BINS = 1 << 15, STEPS = 32, OPAQUE = 128 };

typedef struct color_bin {
    uint64_t sums[3], count;
    uint32_t at; /* red, green, blue, 5 bits each */
    uint32_t color;
} color_bin;

typedef struct color_box {
    uint32_t first, count; /* bins */
    uint64_t pixels;
    uint32_t axis, extent; /* the longest; 0: one bin, or none */
} color_box;

static uint32_t bin_of(const uint8_t *pixel)
{
    return (uint32_t)(pixel[0] >> 3) << 10 | (uint32_t)(pixel[1] >> 3) << 5 | pixel[2] >> 3;
}

static uint32_t step_of(const color_bin *bin, uint32_t axis)
{
    return bin->at >> (10 - 5 * axis) & (STEPS - 1);
}

/* Counts all pixels; answers how many bins are used, those being in front now. */
static uint32_t count_bins(const trilo_image *image, color_bin *bins)
{
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *pixel = image->pixels[i];
        if (pixel[3] < OPAQUE)
            continue;
        color_bin *bin = &bins[bin_of(pixel)];
        bin->count++;
        for (int c = 0; c < 3; c++)
            bin->sums[c] += pixel[c];
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < BINS; i++)
        if (bins[i].count > 0) {
            bins[i].at = i;
            bins[used++] = bins[i];
        }
    return used;
}

static color_box make_box(const color_bin *bins, uint32_t first, uint32_t count)
{
    color_box box = {.first = first, .count = count};
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t low = STEPS, high = 0;
        for (uint32_t i = first; i < first + count; i++) {
            const uint32_t step = step_of(&bins[i], axis);
            low = step < low ? step : low;
            high = step > high ? step : high;
        }
        if (count > 0 && high - low > box.extent) {
            box.extent = high - low;
            box.axis = axis;
        }
    }
    for (uint32_t i = first; i < first + count; i++)
        box.pixels += bins[i].count;
    return box;
}

/* The step behind which the second half of the pixels is; neither half is empty. */
static uint32_t middle_of(const color_bin *bins, const color_box *box)
{
    uint64_t at[STEPS] = {0}, sum = 0;
    uint32_t last = 0;
    for (uint32_t i = box->first; i < box->first + box->count; i++) {
        const uint32_t step = step_of(&bins[i], box->axis);
        at[step] += bins[i].count;
        last = step > last ? step : last;
    }
    uint32_t step = 0;
    for (sum = at[0]; sum * 2 < box->pixels || sum == 0; sum += at[step])
        step++;
    return step < last ? step : last - 1;
}

static void cut(color_bin *bins, color_box *box, color_box *other)
{
    const uint32_t middle = middle_of(bins, box), end = box->first + box->count;
    uint32_t front = box->first;
    for (uint32_t i = box->first; i < end; i++)
        if (step_of(&bins[i], box->axis) <= middle) {
            const color_bin bin = bins[i];
            bins[i] = bins[front];
            bins[front++] = bin;
        }
    *other = make_box(bins, front, end - front);
    *box = make_box(bins, box->first, front - box->first);
}

/* The box that is most worth a cut: many pixels, far apart. */
static uint32_t worst(const color_box *boxes, uint32_t count)
{
    uint32_t found = 0;
    uint64_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t worth = boxes[i].pixels * boxes[i].extent * boxes[i].extent;
        if (worth > most) {
            most = worth;
            found = i;
        }
    }
    return found;
}

static void set_color(color_bin *bins, const color_box *box, uint32_t number, uint8_t color[3])
{
    uint64_t sums[3] = {0};
    for (uint32_t i = box->first; i < box->first + box->count; i++) {
        bins[i].color = number;
        for (int c = 0; c < 3; c++)
            sums[c] += bins[i].sums[c];
    }
    for (int c = 0; c < 3; c++)
        color[c] = (uint8_t)((sums[c] + box->pixels / 2) / box->pixels);
}

static uint32_t make_boxes(color_bin *bins, uint32_t used, uint32_t most, color_box *boxes)
{
    uint32_t count = used > 0;
    boxes[0] = make_box(bins, 0, used);
    while (count > 0 && count < most) {
        const uint32_t at = worst(boxes, count);
        if (boxes[at].extent == 0)
            break;
        cut(bins, &boxes[at], &boxes[count]);
        count++;
    }
    return count;
}

bool tl_palette_make(const trilo_image *image, uint32_t most, tl_arena *arena, uint8_t (*colors)[3], uint32_t *count,
                     uint8_t *numbers)
{
    color_bin *bins = TL_ARRAY(arena, BINS, color_bin);
    color_box *boxes = TL_ARRAY(arena, most, color_box);
    uint8_t *color_of = TL_ARRAY(arena, BINS, uint8_t);
    if (!bins || !boxes || !color_of)
        return false;
    const uint32_t used = count_bins(image, bins);
    *count = make_boxes(bins, used, most, boxes);
    for (uint32_t i = 0; i < *count; i++)
        set_color(bins, &boxes[i], i, colors[i]);
    for (uint32_t i = 0; i < used; i++)
        color_of[bins[i].at] = (uint8_t)bins[i].color;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        numbers[i] = image->pixels[i][3] < OPAQUE ? (uint8_t)most : color_of[bin_of(image->pixels[i])];
    return true;
}
