/* skin.h: influences of a vertex. */
#ifndef TL_MODEL_SKIN_H
#define TL_MODEL_SKIN_H

/* The influence with the largest weight, the first of equal ones: the bone of a format that binds a vertex to one. */
static inline int tl_strongest_influence(const float weights[4])
{
    int best = 0;
    for (int i = 1; i < 4; i++)
        best = weights[i] > weights[best] ? i : best;
    return best;
}

#endif
