/* Conformance of buffers, buffer views and accessors: strides, alignment, uses, bounds, elements. */
#include "base/strict_float.h"
#include "formats/gltf/check/check.h"

#include <math.h>

/* --- uses --- */

static const char *gltf_view_use_name(gltf_view_use use)
{
    static const char *const names[] = {"nothing",  "vertices",  "indices", "inverse bind matrices",
                                        "an image", "other data"};
    return names[use];
}

void tl_gltf_conform_view_use(gltf_checker *c, const tl_json *value, uint32_t view, gltf_view_use use)
{
    gltf_view_facts *facts = &c->views[view];
    if (facts->use == GLTF_VIEW_UNUSED)
        facts->use = use;
    else if (facts->use != use)
        GLTF_CONFORM(c, GLTF_R_USAGE, value, "uses bufferView %u for %s, but it is for %s", (unsigned)view,
                     gltf_view_use_name(use), gltf_view_use_name(facts->use));
}

/* Only vertex attributes may have a byteStride; they need one where several share a buffer view. */
static void gltf_conform_use_stride(gltf_checker *c, const tl_json *value, uint32_t accessor, uint32_t view,
                                    gltf_use use)
{
    const tl_json *stride = tl_json_member(c->file->tables[GLTF_BUFFER_VIEWS].items[view], "byteStride");
    gltf_view_facts *facts = &c->views[view];
    if (stride && use != GLTF_USE_ATTRIBUTE)
        GLTF_CONFORM(c, GLTF_R_STRIDE, value, "bufferView %u has a byteStride, which only vertex attributes may have",
                     (unsigned)view);
    if (stride || use != GLTF_USE_ATTRIBUTE)
        return;
    if (facts->attribute != 0 && facts->attribute != accessor + 1)
        GLTF_CONFORM(c, GLTF_R_STRIDE, value, "bufferView %u has several vertex attributes, it needs a byteStride",
                     (unsigned)view);
    facts->attribute = accessor + 1;
}

gltf_accessor_facts *tl_gltf_conform_use(gltf_checker *c, const tl_json *value, gltf_use use, gltf_view_use view_use)
{
    static const char *const names[] = {"nothing",   "vertices",   "indices",
                                        "key times", "key values", "inverse bind matrices"};
    uint32_t index;
    if (!value || !tl_json_uint(value, &index) || index >= c->file->tables[GLTF_ACCESSORS].count)
        return NULL;
    gltf_accessor_facts *facts = &c->facts[index];
    const tl_json *json = c->file->tables[GLTF_ACCESSORS].items[index];
    const uint32_t view = tl_gltf_index(c->file, json, "bufferView", GLTF_BUFFER_VIEWS, NULL);
    if (facts->use == GLTF_USE_NONE)
        facts->use = use;
    else if (facts->use != use)
        GLTF_CONFORM(c, GLTF_R_USAGE, value, "uses accessor %u for %s, but it is for %s", (unsigned)index, names[use],
                     names[facts->use]);
    if (view != TRILO_NONE) {
        tl_gltf_conform_view_use(c, value, view, view_use);
        gltf_conform_use_stride(c, value, index, view, use);
    }
    return facts;
}

/* --- buffers and buffer views --- */

static void gltf_conform_buffer(gltf_checker *c, const tl_json *json)
{
    const tl_json *uri = tl_json_member(json, "uri");
    const trilo_str text = tl_json_string(uri);
    if (tl_gltf_is_data(text) && !tl_gltf_declares(text, "application/octet-stream") &&
        !tl_gltf_declares(text, "application/gltf-buffer"))
        GLTF_CONFORM(c, GLTF_R_MIME, uri,
                     "the media type of a data URI must be application/octet-stream or "
                     "application/gltf-buffer");
}

static void gltf_conform_view(gltf_checker *c, uint32_t index)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
    const tl_json *json = c->file->tables[GLTF_BUFFER_VIEWS].items[index];
    const tl_json *stride = tl_json_member(json, "byteStride");
    const double target = tl_json_number(tl_json_member(json, "target"), 0);
    const double length = tl_json_number(tl_json_member(json, "byteLength"), 0);
    if (target == ARRAY_BUFFER)
        c->views[index].use = GLTF_VIEW_VERTICES;
    else if (target == ELEMENT_ARRAY_BUFFER)
        c->views[index].use = GLTF_VIEW_INDICES;
    if (!stride || stride->kind != TL_JSON_NUMBER)
        return;
    if (stride->number < 4 || stride->number > 252 || (uint32_t)stride->number % 4 != 0)
        GLTF_CONFORM(c, GLTF_R_STRIDE, stride, "byteStride is %.9g, it must be 4 to 252 in steps of 4", stride->number);
    else if (length > 0 && stride->number > length)
        GLTF_CONFORM(c, GLTF_R_STRIDE, stride, "byteStride is %.9g, more than the byteLength of %.9g", stride->number,
                     length);
    else if (target == ELEMENT_ARRAY_BUFFER)
        GLTF_CONFORM(c, GLTF_R_STRIDE, stride, "byteStride is only for vertex attributes, not for indices");
}

/* --- accessors --- */

/* byteOffset, alone and together with that of the buffer view, is a multiple of the size of a component. */
static void gltf_conform_offset(gltf_checker *c, const tl_json *json, uint32_t component, bool matrix)
{
    const tl_json *value = tl_json_member(json, "byteOffset");
    const uint32_t view = tl_gltf_index(c->file, json, "bufferView", GLTF_BUFFER_VIEWS, NULL);
    const uint32_t size = (uint32_t)tl_gltf_component_size(component);
    uint32_t offset = 0, start = 0;
    if (value && !tl_json_member(json, "bufferView"))
        GLTF_CONFORM(c, GLTF_R_PROPERTY, value, "byteOffset needs a bufferView");
    if (view == TRILO_NONE || size == 0 || (value && !tl_json_uint(value, &offset)))
        return;
    const tl_json *of_view = tl_json_member(c->file->tables[GLTF_BUFFER_VIEWS].items[view], "byteOffset");
    if (of_view && !tl_json_uint(of_view, &start))
        return;
    if (offset % size != 0 || (matrix && offset % 4 != 0))
        GLTF_CONFORM(c, GLTF_R_ALIGNMENT, value, "byteOffset is %u, it must be a multiple of %u", (unsigned)offset,
                     matrix ? 4 : (unsigned)size);
    else if (((uint64_t)start + offset) % size != 0)
        GLTF_CONFORM(c, GLTF_R_ALIGNMENT, json, "starts at byte %llu of its buffer, which must be a multiple of %u",
                     (unsigned long long)start + offset, (unsigned)size);
}

static void gltf_conform_sparse_part(gltf_checker *c, const tl_json *part, uint32_t component)
{
    const uint32_t view = tl_gltf_index(c->file, part, "bufferView", GLTF_BUFFER_VIEWS, NULL);
    const tl_json *value = tl_json_member(part, "bufferView");
    gltf_conform_offset(c, part, component, false);
    if (view == TRILO_NONE)
        return;
    tl_gltf_conform_view_use(c, value, view, GLTF_VIEW_OTHER);
    if (tl_json_member(c->file->tables[GLTF_BUFFER_VIEWS].items[view], "byteStride"))
        GLTF_CONFORM(c, GLTF_R_STRIDE, value, "bufferView %u has a byteStride, which only vertex attributes may have",
                     (unsigned)view);
}

static void gltf_conform_accessor(gltf_checker *c, const tl_json *json)
{
    const tl_json *sparse = tl_json_member(json, "sparse"), *normalized = tl_json_member(json, "normalized");
    const tl_json *indices = tl_json_member(sparse, "indices"), *values = tl_json_member(sparse, "values");
    uint32_t component = 0, of_indices = 0;
    tl_json_uint(tl_json_member(json, "componentType"), &component);
    tl_json_uint(tl_json_member(indices, "componentType"), &of_indices);
    gltf_conform_offset(c, json, component, gltf_str_begins(tl_json_string(tl_json_member(json, "type")), "MAT"));
    if (tl_json_bool(normalized, false) && (component == GLTF_F32 || component == GLTF_U32))
        GLTF_CONFORM(c, GLTF_R_FORMAT, normalized, "only accessors of 8 and 16 bits can be normalized");
    if (!sparse)
        return;
    gltf_enter(c, "sparse", TL_NO_INDEX);
    gltf_conform_sparse_part(c, indices, of_indices);
    gltf_conform_sparse_part(c, values, component);
    gltf_leave(c);
}

void tl_gltf_conform_views(gltf_checker *c)
{
    const gltf_table *tables = c->file->tables;
    for (uint32_t i = 0; i < tables[GLTF_BUFFERS].count; i++) {
        gltf_enter(c, "buffers", i);
        gltf_conform_buffer(c, tables[GLTF_BUFFERS].items[i]);
        gltf_leave(c);
    }
    for (uint32_t i = 0; i < tables[GLTF_BUFFER_VIEWS].count; i++) {
        gltf_enter(c, "bufferViews", i);
        gltf_conform_view(c, i);
        gltf_leave(c);
    }
    for (uint32_t i = 0; i < tables[GLTF_ACCESSORS].count; i++) {
        gltf_enter(c, "accessors", i);
        gltf_conform_accessor(c, tables[GLTF_ACCESSORS].items[i]);
        gltf_leave(c);
    }
}

/* --- elements --- */

/* How many elements break a rule, and the first of them. */
typedef struct gltf_breach {
    uint32_t count, first;
} gltf_breach;

static void gltf_breach_add(gltf_breach *b, bool breach, uint32_t index)
{
    if (breach && b->count++ == 0)
        b->first = index;
}

typedef struct gltf_element_check {
    double min[16], max[16]; /* of the elements */
    gltf_breach floats, unit, sign, color, bind, negative, restart;
} gltf_element_check;

/* The declared min or max, as its component type stores it; false: there is none, or it was reported. */
static bool gltf_declared_bound(gltf_checker *c, const gltf_accessor *a, const char *key, const tl_json *list,
                                double out[16])
{
    static const double least[] = {-128, 0, -32768, 0, 0, 0}, most[] = {127, 255, 32767, 65535, 0, 4294967295.0};
    if (!list || list->kind != TL_JSON_ARRAY || !list->first)
        return false;
    if (list->count != a->width) {
        GLTF_CONFORM(c, GLTF_R_TYPE, list, "%s has %u numbers, it must have %u", key, (unsigned)list->count,
                     (unsigned)a->width);
        return false;
    }
    uint32_t i = 0;
    for (const tl_json *item = list->first; item; item = item->next, i++) {
        const double number = tl_json_number(item, NAN);
        if (item->kind != TL_JSON_NUMBER || (a->component != GLTF_F32 && number != floor(number))) {
            GLTF_CONFORM(c, GLTF_R_TYPE, item, "%s must have %s", key,
                         a->component == GLTF_F32 ? "numbers" : "integers, like its accessor");
            return false;
        }
        if (a->component != GLTF_F32 &&
            (number < least[a->component - GLTF_S8] || number > most[a->component - GLTF_S8])) {
            GLTF_CONFORM(c, GLTF_R_RANGE, item, "%.9g is not a value of componentType %u", number,
                         (unsigned)a->component);
            return false;
        }
        out[i] = a->component == GLTF_F32 ? (double)(float)number : number;
    }
    return true;
}

/* Those that are declared, and if they are known, that they are those of the elements. */
static void gltf_conform_bounds(gltf_checker *c, const gltf_accessor *a, bool known, const double *min,
                                const double *max)
{
    static const char *const keys[] = {"min", "max"};
    const tl_json *lists[] = {tl_json_member(a->json, "min"), tl_json_member(a->json, "max")};
    const double *actual[] = {min, max};
    double declared[16];
    for (int k = 0; k < 2; k++) {
        if (!gltf_declared_bound(c, a, keys[k], lists[k], declared) || !known)
            continue;
        uint32_t i = 0;
        while (i < a->width && declared[i] == actual[k][i])
            i++;
        if (i < a->width)
            GLTF_CONFORM(c, GLTF_R_BOUNDS, lists[k], "%s of component %u is %.9g, but that of the elements is %.9g",
                         keys[k], (unsigned)i, declared[i], actual[k][i]);
    }
}

static double gltf_length(const gltf_accessor *a, const double *v, uint32_t count)
{
    static const double largest[] = {127, 255, 32767, 65535};
    const double unit = a->normalized && a->component <= GLTF_U16 ? largest[a->component - GLTF_S8] : 1;
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        const double x = v[i] / unit < -1 && unit != 1 ? -1 : v[i] / unit;
        sum += x * x;
    }
    return sqrt(sum);
}

/* The largest index of that type restarts primitives. */
static double gltf_restart_index(uint32_t component)
{
    return ldexp(1, 8 * (int)tl_gltf_component_size(component)) - 1;
}

/* The tolerances are those of a signed byte. */
static const double GLTF_UNIT_3 = 0.00674, GLTF_UNIT_4 = 0.00769; /* for three components, for four */

static void gltf_check_element(gltf_element_check *e, const gltf_accessor *a, unsigned roles, uint32_t index,
                               const double *v)
{
    const bool vector = roles & (GLTF_ROLE_NORMAL | GLTF_ROLE_TANGENT) && a->width >= 3;
    const bool key = roles & GLTF_ROLE_CUBIC_ROTATION ? index % 3 == 1 : (roles & GLTF_ROLE_ROTATION) != 0;
    bool clamped = true, finite = true;
    for (uint32_t i = 0; i < a->width; i++) {
        e->min[i] = index == 0 || v[i] < e->min[i] ? v[i] : e->min[i];
        e->max[i] = index == 0 || v[i] > e->max[i] ? v[i] : e->max[i];
        finite = finite && v[i] - v[i] == 0;
        clamped = clamped && v[i] >= 0 && v[i] <= 1;
    }
    gltf_breach_add(&e->floats, !finite, index);
    if (!finite)
        return;
    gltf_breach_add(&e->unit, vector && fabs(gltf_length(a, v, 3) - 1) > GLTF_UNIT_3, index);
    gltf_breach_add(&e->unit, key && a->width == 4 && fabs(gltf_length(a, v, 4) - 1) > GLTF_UNIT_4, index);
    gltf_breach_add(&e->sign, roles & GLTF_ROLE_TANGENT && a->width == 4 && fabs(gltf_length(a, v + 3, 1)) != 1, index);
    gltf_breach_add(&e->color, roles & GLTF_ROLE_COLOR && !clamped, index);
    gltf_breach_add(&e->bind,
                    roles & GLTF_ROLE_BIND && a->width == 16 && (v[3] != 0 || v[7] != 0 || v[11] != 0 || v[15] != 1),
                    index);
    gltf_breach_add(&e->negative, roles & GLTF_ROLE_TIME && v[0] < 0, index);
    gltf_breach_add(&e->restart, roles & GLTF_ROLE_INDEX && v[0] == gltf_restart_index(a->component), index);
}

/* True if all sums of squares are so close to 1 that the lengths are within the tolerance, whatever the rounding. */
static bool gltf_are_unit(const gltf_accessor *a, uint32_t width, double tolerance)
{
    const double margin = 1e-6; /* of single precision */
    float low = 1, high = 1;
    for (uint32_t i = 0; i < a->count; i++) {
        const uint8_t *p = a->data + i * a->stride;
        const float x = tl_get_f32(p, TL_LITTLE), y = tl_get_f32(p + 4, TL_LITTLE), z = tl_get_f32(p + 8, TL_LITTLE);
        const float w = width == 4 ? tl_get_f32(p + 12, TL_LITTLE) : 0;
        const float sum = x * x + y * y + z * z + w * w;
        low = sum < low ? sum : low;
        high = sum > high ? sum : high;
    }
    return (double)low >= (1 - tolerance) * (1 - tolerance) + margin &&
           (double)high <= (1 + tolerance) * (1 + tolerance) - margin;
}

/* True if the bounds show that every element conforms. Otherwise every element has to be tested. */
static bool gltf_elements_conform(const gltf_accessor_facts *facts, const gltf_bounds *bounds)
{
    const gltf_accessor *a = &facts->accessor;
    const unsigned roles = facts->roles;
    const unsigned known = GLTF_ROLE_NORMAL | GLTF_ROLE_ROTATION | GLTF_ROLE_COLOR | GLTF_ROLE_TIME | GLTF_ROLE_INDEX;
    if (roles & ~known || !bounds->known)
        return false;
    if ((roles & (GLTF_ROLE_NORMAL | GLTF_ROLE_ROTATION)) && a->component != GLTF_F32)
        return false;
    for (uint32_t k = 0; roles & GLTF_ROLE_COLOR && k < a->width; k++)
        if (bounds->min[k] < 0 || bounds->max[k] > 1)
            return false;
    if ((roles & GLTF_ROLE_TIME && bounds->min[0] < 0) ||
        (roles & GLTF_ROLE_INDEX && bounds->max[0] == gltf_restart_index(a->component)))
        return false;
    return (!(roles & GLTF_ROLE_NORMAL) || a->width < 3 || gltf_are_unit(a, 3, GLTF_UNIT_3)) &&
           (!(roles & GLTF_ROLE_ROTATION) || a->width != 4 || gltf_are_unit(a, 4, GLTF_UNIT_4));
}

static void gltf_conform_each_element(gltf_checker *c, const gltf_accessor_facts *facts)
{
    const gltf_accessor *a = &facts->accessor;
    const bool any = a->data || a->sparse_count > 0;
    gltf_element_check e = {0};
    double v[16];
    for (gltf_cursor cursor = tl_gltf_cursor(a); any && tl_gltf_cursor_next(&cursor, v);)
        gltf_check_element(&e, a, facts->roles, cursor.next - 1, v);
    const struct {
        const gltf_breach *breach;
        int rule;
        const char *what;
    } rows[] = {
        {&e.floats, GLTF_R_FLOAT, "infinite or NaN"},
        {&e.unit, GLTF_R_UNIT, "not of unit length"},
        {&e.sign, GLTF_R_UNIT, "tangents with a sign other than 1 and -1"},
        {&e.color, GLTF_R_COLOR, "colours outside 0 to 1"},
        {&e.bind, GLTF_R_BIND, "matrices whose last row is not 0, 0, 0, 1"},
        {&e.negative, GLTF_R_KEYS, "negative times"},
        {&e.restart, GLTF_R_RESTART, "the value that restarts primitives"},
    };
    for (size_t i = 0; i < TL_COUNT_OF(rows); i++)
        if (rows[i].breach->count > 0 && !(rows[i].rule == GLTF_R_FLOAT && facts->reported))
            GLTF_CONFORM(c, rows[i].rule, a->json, "elements that are %s: %u of %u, the first is number %u",
                         rows[i].what, (unsigned)rows[i].breach->count, (unsigned)a->count,
                         (unsigned)rows[i].breach->first);
    gltf_conform_bounds(c, a, any && e.floats.count == 0, e.min, e.max);
}

/* Compression is lossy: what it stores is only near the declared bounds and unit length. */
void tl_gltf_conform_elements(gltf_checker *c)
{
    const gltf_table *accessors = &c->file->tables[GLTF_ACCESSORS];
    for (uint32_t i = 0; i < accessors->count; i++) {
        const uint32_t view = tl_gltf_index(c->file, accessors->items[i], "bufferView", GLTF_BUFFER_VIEWS, NULL);
        const gltf_accessor_facts *facts = &c->facts[i];
        if (!facts->readable || (view != TRILO_NONE && c->file->buffer_views[view].compressed))
            continue;
        gltf_enter(c, "accessors", i);
        if (gltf_elements_conform(facts, &c->bounds[i]))
            gltf_conform_bounds(c, &facts->accessor, true, c->bounds[i].min, c->bounds[i].max);
        else
            gltf_conform_each_element(c, facts);
        gltf_leave(c);
    }
}
