/* pbr.h: what materials have beside their colour. */
#ifndef TL_MODEL_PBR_H
#define TL_MODEL_PBR_H

#include "base/report.h"
#include "trilobite/model.h"

/* For a format that has no such pictures: tells how many materials lose some, and which kinds there are. */
void tl_pbr_maps_lost(const trilo_model *model, const trilo_rule *rule, tl_report *losses);

#endif
