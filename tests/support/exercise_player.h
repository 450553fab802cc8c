/* exercise_player.h: plays whatever was loaded, and looks that it stays finite. */
#ifndef TL_TEST_EXERCISE_PLAYER_H
#define TL_TEST_EXERCISE_PLAYER_H

#include "trilobite/player.h"

void exercise_player(const trilo_document *document, const trilo_model *model);

#endif
