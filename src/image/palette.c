/* Colour quantization by median cut (Paul Heckbert, "Color Image Quantization for Frame Buffer Display", 1982). Colours
 * are counted in 32 * 32 * 32 bins, so that all colours of RGBA16 stay distinct. The box with the largest spread is
 * split at its median until there are enough boxes. Integers only, so the result is the same on every machine. */
#include "image/image.h"

enum { PALETTE_BINS = 1 << 15, PALETTE_STEPS = 32, PALETTE_OPAQUE = 128 };

typedef struct palette_bin {
    uint64_t sums[3], count;
    uint32_t at; /* red, green, blue, 5 bits each */
} palette_bin;

typedef struct palette_box {
    uint32_t first, count; /* bins */
    uint64_t pixels;
    uint32_t axis, extent; /* the longest axis; extent 0: one bin, or none */
} palette_box;

static uint32_t palette_bin_at(const uint8_t *pixel)
{
    return (uint32_t)(pixel[0] >> 3) << 10 | (uint32_t)(pixel[1] >> 3) << 5 | pixel[2] >> 3;
}

static uint32_t palette_step(const palette_bin *bin, uint32_t axis)
{
    return bin->at >> (10 - 5 * axis) & (PALETTE_STEPS - 1);
}

/* Counts the pixels, moves the bins in use to the front and returns their number. */
static uint32_t palette_count_bins(const trilo_image *image, palette_bin *bins)
{
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        const uint8_t *pixel = image->pixels[i];
        if (pixel[3] < PALETTE_OPAQUE)
            continue;
        palette_bin *bin = &bins[palette_bin_at(pixel)];
        bin->count++;
        for (int c = 0; c < 3; c++)
            bin->sums[c] += pixel[c];
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < PALETTE_BINS; i++)
        if (bins[i].count > 0) {
            bins[i].at = i;
            bins[used++] = bins[i];
        }
    return used;
}

static palette_box palette_make_box(const palette_bin *bins, uint32_t first, uint32_t count)
{
    palette_box box = {.first = first, .count = count};
    for (uint32_t axis = 0; axis < 3; axis++) {
        uint32_t low = PALETTE_STEPS, high = 0;
        for (uint32_t i = first; i < first + count; i++) {
            const uint32_t step = palette_step(&bins[i], axis);
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

/* Splits a box at the median of its pixels along its longest axis; neither half is empty. */
static void palette_split_box(palette_bin *bins, palette_box *box, palette_box *other)
{
    uint64_t histogram[PALETTE_STEPS] = {0};
    const uint32_t end = box->first + box->count;
    uint32_t last = 0, median = 0, front = box->first;
    for (uint32_t i = box->first; i < end; i++) {
        const uint32_t step = palette_step(&bins[i], box->axis);
        histogram[step] += bins[i].count;
        last = step > last ? step : last;
    }
    for (uint64_t sum = histogram[0]; sum * 2 < box->pixels || sum == 0; sum += histogram[median])
        median++;
    median = median < last ? median : last - 1;
    for (uint32_t i = box->first; i < end; i++)
        if (palette_step(&bins[i], box->axis) <= median) {
            const palette_bin bin = bins[i];
            bins[i] = bins[front];
            bins[front++] = bin;
        }
    *other = palette_make_box(bins, front, end - front);
    *box = palette_make_box(bins, box->first, front - box->first);
}

/* Splits the box with the largest pixels * extent^2 until there are `most` boxes. Returns their number. */
static uint32_t palette_make_boxes(palette_bin *bins, uint32_t used, uint32_t most, palette_box *boxes)
{
    uint32_t count = used > 0;
    boxes[0] = palette_make_box(bins, 0, used);
    while (count > 0 && count < most) {
        uint32_t worst = 0;
        uint64_t largest = 0;
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t spread = boxes[i].pixels * boxes[i].extent * boxes[i].extent;
            if (spread > largest) {
                largest = spread;
                worst = i;
            }
        }
        if (boxes[worst].extent == 0)
            break;
        palette_split_box(bins, &boxes[worst], &boxes[count]);
        count++;
    }
    return count;
}

bool tl_palette_make(const trilo_image *image, uint32_t most, tl_arena *arena, uint8_t (*colors)[3], uint32_t *count,
                     uint8_t *indices)
{
    palette_bin *bins = TL_ARRAY(arena, PALETTE_BINS, palette_bin);
    palette_box *boxes = TL_ARRAY(arena, most, palette_box);
    uint8_t *color_of = TL_ARRAY(arena, PALETTE_BINS, uint8_t);
    if (!bins || !boxes || !color_of)
        return false;
    const uint32_t used = palette_count_bins(image, bins);
    *count = palette_make_boxes(bins, used, most, boxes);
    for (uint32_t b = 0; b < *count; b++) {
        const palette_box *box = &boxes[b];
        uint64_t sums[3] = {0};
        for (uint32_t i = box->first; i < box->first + box->count; i++) {
            color_of[bins[i].at] = (uint8_t)b;
            for (int c = 0; c < 3; c++)
                sums[c] += bins[i].sums[c];
        }
        for (int c = 0; c < 3; c++)
            colors[b][c] = (uint8_t)((sums[c] + box->pixels / 2) / box->pixels);
    }
    for (size_t i = 0; i < (size_t)image->width * image->height; i++)
        indices[i] = image->pixels[i][3] < PALETTE_OPAQUE ? (uint8_t)most : color_of[palette_bin_at(image->pixels[i])];
    return true;
}
