/* transform.h: the parts of nodes as a player mixes them. */
#ifndef TL_ANIM_TRANSFORM_H
#define TL_ANIM_TRANSFORM_H

#include "trilobite/pose.h"

/* Which numbers of the parts something moves: a bit for each axis, and one for the rotation. */
enum { TL_COVER_TRANSLATION = 0x07, TL_COVER_ROTATION = 0x08, TL_COVER_SCALE = 0x70, TL_COVER_ALL = 0x7F };

/* How two values are mixed: as the console does it, or at even speed. */
typedef enum tl_mixing { TL_MIX_SMOOTH, TL_MIX_EXACT } tl_mixing;

trilo_transform tl_transform_identity(void);
trilo_transform tl_transform_rest(const trilo_node *node);
trilo_mat4 tl_transform_matrix(const trilo_transform *parts);

/* Where the numbers of a target are, and their bits. */
float *tl_transform_place(trilo_transform *parts, trilo_target target);
uint8_t tl_transform_cover(trilo_target target);

/* Goes from `parts` to `over` by that amount, in the numbers that are covered. */
void tl_transform_mix(trilo_transform *parts, const trilo_transform *over, unsigned cover, double amount,
                      tl_mixing mixing);
/* Adds that much of a difference (tl_transform_difference) to what is covered. */
void tl_transform_add(trilo_transform *parts, const trilo_transform *difference, unsigned cover, double amount,
                      tl_mixing mixing);
/* What leads from `first` to `value`, both of that target, in place of `value`: a sum, a turn, or a factor. */
void tl_transform_difference(trilo_target target, const float *first, float *value);

#endif
