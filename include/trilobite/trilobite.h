/* trilobite.h: everything. Each header can also be included by itself. */
#ifndef TRILOBITE_TRILOBITE_H
#define TRILOBITE_TRILOBITE_H

#include "trilobite/core.h"
#include "trilobite/document.h"
#include "trilobite/error.h"
#include "trilobite/format.h"
#include "trilobite/load.h"
#include "trilobite/memory.h"
#include "trilobite/model.h"
#include "trilobite/n64.h"
#include "trilobite/nlm.h"
#include "trilobite/pose.h"
#include "trilobite/write.h"

#endif
