/* How far two images are from each other. */
#include "base/strict_float.h"

#include "image/image.h"
#include "image/oklab.h"
#include "trilobite/sprite.h"

#include <math.h>

static const double compare_equal_psnr = 99;

/* The logarithm to base 2 of a number from 1 on, bit by bit: the result of a C library would differ in its last digit.
 */
static double compare_log2(double x)
{
    double result = 0;
    for (; x >= 2; x /= 2)
        result += 1;
    for (double bit = 0.5; bit > 1e-9; bit /= 2) {
        x *= x;
        if (x >= 2) {
            x /= 2;
            result += bit;
        }
    }
    return result;
}

trilo_image_difference trilo_image_compare(const trilo_image *a, const trilo_image *b)
{
    const size_t count = (size_t)a->width * a->height;
    tl_srgb_table table;
    double squares = 0, distances = 0;
    bool opaque = true;
    if (count == 0 || a->width != b->width || a->height != b->height)
        return (trilo_image_difference){0, 0};
    tl_srgb_table_init(&table);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *p = a->pixels[i], *q = b->pixels[i];
        const double alpha[2] = {p[3] / 255.0, q[3] / 255.0};
        double distance = (alpha[0] - alpha[1]) * (alpha[0] - alpha[1]);
        opaque &= p[3] == 255 && q[3] == 255;
        squares += distance * 255 * 255;
        if (p[0] == q[0] && p[1] == q[1] && p[2] == q[2] && p[3] == q[3])
            continue;
        const tl_oklab x = tl_oklab_of(&table, p), y = tl_oklab_of(&table, q);
        for (int c = 0; c < 3; c++) {
            const double off = p[c] * alpha[0] - q[c] * alpha[1];
            const double lab = (double)x.v[c] * alpha[0] - (double)y.v[c] * alpha[1];
            squares += off * off;
            distance += lab * lab;
        }
        distances += sqrt(distance);
    }
    const double mean = squares / ((double)count * (opaque ? 3 : 4));
    const double psnr = mean > 0 ? compare_log2(255 * 255 / mean) * 3.010299956639812 : compare_equal_psnr;
    return (trilo_image_difference){psnr < compare_equal_psnr ? psnr : compare_equal_psnr,
                                    100 * distances / (double)count};
}
