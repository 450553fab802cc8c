/* trig_series.h: the series of trig.c, also for several numbers at once (base/lanes.h).
 *
 * Both are macros, since they are for doubles and for vectors of them. The result has the same bits for both.
 */
#ifndef TL_BASE_TRIG_SERIES_H
#define TL_BASE_TRIG_SERIES_H

/* sin(x) = x + x * s * TL_SIN_SUM(s), where s = x * x. The Taylor series ends where the next term is below 1e-17 at
 * pi/4. */
#define TL_SIN_SUM(s)                                                                                                  \
    ((((((((1.0 / 355687428096000.0) * (s)-1.0 / 1307674368000.0) * (s) + 1.0 / 6227020800.0) * (s)-1.0 /              \
         39916800.0) *                                                                                                 \
            (s) +                                                                                                      \
        1.0 / 362880.0) *                                                                                              \
       (s)-1.0 / 5040.0) *                                                                                             \
          (s) +                                                                                                        \
      1.0 / 120.0) *                                                                                                   \
     (s)-1.0 / 6.0)

/* atan(u) = u + u * s * TL_ATAN_SUM(s), where s = u * u and |u| is at most 1/16. */
#define TL_ATAN_SUM(s) ((((((1.0 / 13) * (s)-1.0 / 11) * (s) + 1.0 / 9) * (s)-1.0 / 7) * (s) + 1.0 / 5) * (s)-1.0 / 3)

/* The series gives the sine of angles up to this without range reduction. */
#define TL_SIN_SERIES_MOST 0.78

#endif
