#include "embree.h"

#ifdef BENCH_WITH_EMBREE

#include <embree3/rtcore.h>

#include <math.h>
#include <stdlib.h>

struct embree_tree {
    RTCDevice device;
    RTCScene scene;
};

bool embree_there(void)
{
    return true;
}

/* Positions and indices are shared, as the queries share the model's. */
embree_tree *embree_build(const trilo_mesh *mesh)
{
    embree_tree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return NULL;
    tree->device = rtcNewDevice("threads=1");
    tree->scene = rtcNewScene(tree->device);
    RTCGeometry geometry = rtcNewGeometry(tree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh->positions, 0,
                               sizeof *mesh->positions, mesh->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->indices, 0,
                               3 * sizeof *mesh->indices, mesh->index_count / 3);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(tree->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(tree->scene);
    if (rtcGetDeviceError(tree->device) == RTC_ERROR_NONE)
        return tree;
    embree_free(tree);
    return NULL;
}

void embree_free(embree_tree *tree)
{
    if (!tree)
        return;
    rtcReleaseScene(tree->scene);
    rtcReleaseDevice(tree->device);
    free(tree);
}

bool embree_ray_cast(embree_tree *tree, const trilo_ray *ray, uint32_t *triangle, float *distance)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit hit = {.ray = {.org_x = ray->origin.x,
                                    .org_y = ray->origin.y,
                                    .org_z = ray->origin.z,
                                    .dir_x = ray->direction.x,
                                    .dir_y = ray->direction.y,
                                    .dir_z = ray->direction.z,
                                    .tfar = INFINITY,
                                    .mask = ~0u},
                            .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(tree->scene, &context, &hit);
    *triangle = hit.hit.primID;
    *distance = hit.ray.tfar;
    return hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
}

#else

bool embree_there(void)
{
    return false;
}

embree_tree *embree_build(const trilo_mesh *mesh)
{
    (void)mesh;
    return NULL;
}

void embree_free(embree_tree *tree)
{
    (void)tree;
}

bool embree_ray_cast(embree_tree *tree, const trilo_ray *ray, uint32_t *triangle, float *distance)
{
    (void)tree;
    (void)ray;
    *triangle = TRILO_NONE;
    *distance = 0;
    return false;
}

#endif
