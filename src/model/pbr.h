/* pbr.h: the physically based properties of materials. */
#ifndef TL_MODEL_PBR_H
#define TL_MODEL_PBR_H

#include "base/report.h"
#include "trilobite/model.h"

/* For a format without them: reports how many materials lose some, and which kinds. */
void tl_pbr_maps_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses);

#endif
