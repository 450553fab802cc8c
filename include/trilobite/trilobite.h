/* trilobite.h: everything. Each header can also be included by itself. */
#ifndef TRILOBITE_TRILOBITE_H
#define TRILOBITE_TRILOBITE_H

#include "trilobite/assets.h"
#include "trilobite/clip.h"
#include "trilobite/convert.h"
#include "trilobite/core.h"
#include "trilobite/cost.h"
#include "trilobite/document.h"
#include "trilobite/error.h"
#include "trilobite/format.h"
#include "trilobite/gltf.h"
#include "trilobite/image.h"
#include "trilobite/io.h"
#include "trilobite/load.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"
#include "trilobite/model64.h"
#include "trilobite/n64.h"
#include "trilobite/nlm.h"
#include "trilobite/optimize.h"
#include "trilobite/player.h"
#include "trilobite/pose.h"
#include "trilobite/pyrite64.h"
#include "trilobite/query.h"
#include "trilobite/render.h"
#include "trilobite/sprite.h"
#include "trilobite/stream.h"
#include "trilobite/t3dm.h"
#include "trilobite/visitor.h"
#include "trilobite/write.h"

#endif
