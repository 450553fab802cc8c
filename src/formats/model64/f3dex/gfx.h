/* gfx.h: F3DEX2 display lists: decoding and encoding commands, and running a list on a simulated vertex cache.
 *
 * A command is two 32-bit words; its opcode is the first byte. Models use five of them: load vertices, modify a loaded
 * one, draw one triangle, draw two, end. The others are known by name and skipped.
 */
#ifndef TL_MODEL64_F3DEX_GFX_H
#define TL_MODEL64_F3DEX_GFX_H

#include "n64/f3dex.h"
#include "trilobite/core.h"

enum { GFX_SEGMENT = 1 }; /* where the vertices are mapped */

typedef struct gfx_command {
    uint32_t w0, w1;
} gfx_command;

enum {
    GFX_NOOP = 0x00,
    GFX_VTX = 0x01,
    GFX_MODIFYVTX = 0x02,
    GFX_CULLDL = 0x03,
    GFX_BRANCH_Z = 0x04,
    GFX_TRI1 = 0x05,
    GFX_TRI2 = 0x06,
    GFX_QUAD = 0x07,
    GFX_LINE3D = 0x08,
    GFX_TEXTURE = 0xD7,
    GFX_GEOMETRYMODE = 0xD9,
    GFX_DL = 0xDE,
    GFX_ENDDL = 0xDF,
    GFX_SETPRIMCOLOR = 0xFA,
    GFX_SETENVCOLOR = 0xFB
};

/* What G_MODIFYVTX changes. */
enum { GFX_MODIFY_RGBA = 0x10, GFX_MODIFY_ST = 0x14, GFX_MODIFY_XY = 0x18, GFX_MODIFY_Z = 0x1C };

/* --- encoding --- */

gfx_command tl_gfx_load(uint32_t first_slot, uint32_t count, uint32_t vertex);
gfx_command tl_gfx_modify_st(uint32_t slot, int16_t s, int16_t t); /* in units of a vertex; halved, as the RSP does */
gfx_command tl_gfx_modify_rgba(uint32_t slot, const uint8_t rgba[4]);
gfx_command tl_gfx_tri1(const uint8_t slots[3]);
gfx_command tl_gfx_tri2(const uint8_t first[3], const uint8_t second[3]);
gfx_command tl_gfx_end(void);
void tl_gfx_store(gfx_command command, uint8_t bytes[TL_F3DEX_COMMAND_SIZE]);

/* --- decoding --- */

gfx_command tl_gfx_at(const uint8_t bytes[TL_F3DEX_COMMAND_SIZE]);
static inline unsigned gfx_opcode(gfx_command command)
{
    return command.w0 >> 24;
}
const char *tl_gfx_name(unsigned opcode); /* "G_VTX"; NULL: not defined */

/* The fields of a command, unchecked. `reserved`: bits without a meaning are set. */
typedef struct gfx_load {
    uint32_t count;
    int32_t first; /* slot; negative if the command is invalid */
    uint32_t segment, offset;
    bool reserved;
} gfx_load;
gfx_load tl_gfx_load_of(gfx_command command);

typedef struct gfx_modify {
    uint32_t field, doubled_slot;
    int16_t st[2]; /* in units of a vertex: twice what the command says */
    uint8_t rgba[4];
} gfx_modify;
gfx_modify tl_gfx_modify_of(gfx_command command);

typedef struct gfx_triangles {
    uint32_t count;
    uint8_t doubled_slots[2][3];
    bool reserved;
} gfx_triangles;
gfx_triangles tl_gfx_triangles_of(gfx_command command); /* of G_TRI1, G_TRI2 and G_QUAD */

bool tl_gfx_jumps(gfx_command command);  /* a G_DL that does not return */
bool tl_gfx_lights(gfx_command command); /* a G_GEOMETRYMODE that switches lighting on */

/* "G_VTX: vertices 64 to 75 into slots 20 to 31", for people. */
void tl_gfx_text(gfx_command command, char *text, size_t room);

/* --- running a list --- */

/* A list in a file. `size` is the number of bytes that could belong to it; `used` includes its end command. */
typedef struct gfx_list {
    const uint8_t *bytes;
    size_t size, used;
    bool ended; /* by G_ENDDL, or by a jump */
} gfx_list;

/* Finds the end. */
gfx_list tl_gfx_list(const uint8_t *bytes, size_t size);

/* The content of a slot of the cache. */
typedef struct gfx_corner {
    uint32_t vertex; /* TRILO_NONE: nothing */
    bool has_st, has_rgba;
    int16_t st[2]; /* in units of a vertex: twice what the command says */
    uint8_t rgba[4];
} gfx_corner;

/* A total order; 0: equal. A texture coordinate or colour that is absent does not count. */
int tl_gfx_corner_compare(const gfx_corner *a, const gfx_corner *b);
static inline bool tl_gfx_corner_equal(const gfx_corner *a, const gfx_corner *b)
{
    return tl_gfx_corner_compare(a, b) == 0;
}

typedef enum gfx_problem {
    GFX_FINE,
    GFX_BAD_COUNT,     /* G_VTX of no vertices, or of slots that do not exist */
    GFX_BAD_SEGMENT,   /* G_VTX from another segment */
    GFX_BAD_ADDRESS,   /* G_VTX from the middle of a vertex */
    GFX_BAD_VERTEX,    /* G_VTX past the last vertex */
    GFX_ODD_SLOT,      /* slots are stored doubled */
    GFX_BAD_SLOT,      /* above 31 */
    GFX_EMPTY_SLOT,    /* nothing was loaded there */
    GFX_BAD_FIELD,     /* G_MODIFYVTX of something that does not exist */
    GFX_SCREEN_FIELD,  /* G_MODIFYVTX of screen coordinates: skipped */
    GFX_RESERVED_BITS, /* executed, but bits without a meaning are set */
    GFX_PASSED_OVER,   /* harmless: state that this model does not need */
    GFX_NOT_FOLLOWED,  /* not executed, but could draw or transform something: calls, matrices, lines */
    GFX_UNDEFINED
} gfx_problem;

/* How a command is treated that is neither a load, a modification nor a triangle. */
gfx_problem tl_gfx_class(unsigned opcode);

/* A command and its effect. */
typedef struct gfx_step {
    uint32_t at; /* byte in the list */
    gfx_command command;
    gfx_problem problem;
    uint32_t triangle_count;    /* 0, 1 or 2; only whole ones, whose slots are all filled */
    gfx_corner triangles[2][3]; /* in the order of the words; the console draws the second one first */
    bool repeats;               /* triangles[0] equals the last one drawn: a known bug of an exporter */
    uint32_t load_first, load_count, load_vertex; /* of a G_VTX without a problem */
} gfx_step;

typedef struct gfx_run {
    gfx_list list;
    uint32_t vertex_count; /* that can be loaded */
    size_t at;
    gfx_corner cache[TL_F3DEX_SLOTS];
    gfx_corner last[3]; /* the triangle that was drawn last */
    bool drawn;         /* true if there is one */
    bool lighting;      /* a command enabled it */
} gfx_run;

gfx_run tl_gfx_run(const gfx_list *list, uint32_t vertex_count);
/* Executes the next command, including the end command. Returns false after that. */
bool tl_gfx_next(gfx_run *run, gfx_step *step);

#endif
