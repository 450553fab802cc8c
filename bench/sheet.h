/* sheet.h: a waved square of any size, for measuring how work grows. */
#ifndef BENCH_SHEET_H
#define BENCH_SHEET_H

#include <trilobite/model.h>

typedef struct bench_sheet {
    trilo_model model;
    trilo_mesh mesh;
    trilo_material material;
    float (*positions)[3], (*normals)[3], (*uvs)[2]; /* normals: NULL unless it is smooth */
    uint32_t *indices;
} bench_sheet;

/* Of side * side vertices. False: no memory, which was reported. */
bool bench_sheet_make(bench_sheet *s, uint32_t side);
/* The same with low hills and normals, so that neighbouring triangles share their vertices. */
bool bench_sheet_make_smooth(bench_sheet *s, uint32_t side);
void bench_sheet_free(bench_sheet *s);

#endif
