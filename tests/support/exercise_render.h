/* exercise_render.h: draws whatever was loaded. */
#ifndef TL_SUPPORT_EXERCISE_RENDER_H
#define TL_SUPPORT_EXERCISE_RENDER_H

#include <trilobite/render.h>

void exercise_render(const trilo_model *model);

#endif
