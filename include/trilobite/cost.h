/* cost.h: the cost of drawing a model once, counted from the file.
 *
 * Every figure is a count, or is computed from counts by a fixed formula, so it is the same on every machine. Times are
 * estimates: docs/cost.md explains how they are computed and what they leave out.
 */
#ifndef TRILOBITE_COST_H
#define TRILOBITE_COST_H

#include "trilobite/document.h"
#include "trilobite/n64.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counts of a whole model, of one object, or of all objects of a material. 0 for what a format does not have. */
typedef struct trilo_cost_counts {
    uint64_t parts;              /* T3DM: parts of objects; Model: display lists; otherwise meshes */
    uint64_t loads;              /* commands that load vertices */
    uint64_t vertices;           /* loaded; T3DM loads count as an even number, as the console loads pairs */
    uint64_t unique;             /* distinct vertices that are drawn, counted per object */
    uint64_t duplicates;         /* drawn vertices that were loaded before: vertices = unique + duplicates + padding */
    uint64_t padding;            /* loaded, but never drawn */
    uint64_t unique_shown;       /* `unique`, ignoring what the material does not show */
    uint64_t triangles;          /* including lines of NLM and glTF files */
    uint64_t degenerate;         /* triangles without area, which draw nothing */
    uint64_t list_triangles;     /* drawn by index, */
    uint64_t sequence_triangles; /* as sequences of consecutive vertices, */
    uint64_t strip_triangles;    /* and as strips */
    uint64_t list_commands;      /* T3DM: one per triangle; Model: one per one or two triangles */
    uint64_t sequences, strips;  /* commands */
    uint64_t strip_indices;      /* in all strips */
    uint64_t strip_bytes;        /* fetched by the RSP for these indices, in units of 8 */
    uint64_t runs;               /* uninterrupted runs: a strip with two restarts has three */
    uint64_t modifies;           /* Model: commands that change a loaded vertex */
    uint64_t syncs;              /* T3DM: one at the end of each part that draws only by index */
    uint64_t matrix_sets;        /* T3DM: one for each part that belongs to a bone, */
    uint64_t matrix_pops;        /* and pops back to the previous matrix */
    uint64_t commands;           /* of all kinds */
    uint64_t draw_bytes;         /* list, sequence and strip commands, and strip_bytes */
    uint64_t rsp_bytes;          /* what the RSP moves for geometry: commands, vertices, indices and matrices */
    uint64_t score;              /* T3DM: estimated RSP cycles; otherwise 0 */
    double microseconds;         /* these cycles at 62.5 MHz; without changes of materials */
    double area;                 /* of all triangles, in units of the file */
} trilo_cost_counts;

typedef struct trilo_cost_texture {
    trilo_str path;
    trilo_texels texels; /* from the sprite file, or from its path ("wall.ci4.sprite") */
    bool from_file;      /* the sprite file was found */
    uint32_t width, height;
    uint32_t images;                  /* 1, or more with mipmaps; 0: the format is unknown */
    uint32_t tmem;                    /* bytes of texels in TMEM, rows rounded up to 8; 0: the format is unknown */
    uint32_t palette;                 /* bytes of its palette in TMEM, where it occupies the upper half, 2048 */
    uint32_t tmem_limit;              /* 4096, or 2048 with a palette */
    uint64_t file_size;               /* of the sprite in memory; 0: not found */
    uint64_t stored_size;             /* in the ROM */
    uint32_t uploads;                 /* while drawing the model once */
    uint32_t colors;                  /* distinct texels of the sprite file; 257: more than 256; 0: not found */
    trilo_texels smaller;             /* a format with fewer bits that shows the same; unknown: none, or not found */
    uint32_t same_as;                 /* an earlier texture whose file has the same content; TRILO_NONE */
    uint32_t tile_width, tile_height; /* the largest that a material shows of it */
} trilo_cost_texture;

typedef struct trilo_cost_material {
    trilo_str name;
    uint32_t objects;       /* that use it */
    uint32_t changes;       /* how often state is set because the previous material was a different one */
    uint32_t uploads;       /* of textures */
    uint64_t state_bytes;   /* commands of Tiny3D: fog, vertex effects, draw flags */
    uint64_t overlay_bytes; /* T3DM: the RSP switches its program and back for every change of the pixel pipeline */
    uint64_t upload_bytes;
    uint32_t textures[2]; /* indices into trilo_cost.textures; TRILO_NONE: none */
    uint32_t tmem;        /* of both textures together; 0: none, or unknown */
    uint32_t tmem_limit;  /* 4096, or 2048 with a palette */
    uint32_t cycles;      /* of the RDP per pixel: 1 or 2 */
    bool blends, depth;   /* pixels read the framebuffer; the depth buffer */
    double microseconds;  /* estimated RSP time: counts.microseconds, state_bytes and overlay_bytes */
    bool palettes_clash;  /* only one of its two textures has a palette, or their palettes differ */
    bool mipmaps_clash;   /* its texture has mipmaps, which need a cycle of the combiner that it uses itself */
    trilo_cost_counts counts;
} trilo_cost_material;

typedef struct trilo_cost_object {
    trilo_str name;
    uint32_t material; /* index into trilo_cost.materials; TRILO_NONE: none */
    bool skinned;      /* attached to bones */
    bool changes;      /* its material differs from that of the previous object */
    trilo_cost_counts counts;
} trilo_cost_object;

/* What could be improved. */
typedef enum trilo_cost_hint_kind {
    TRILO_COST_HINT_KIND_MERGE_MATERIALS, /* two materials differ only in their names */
    TRILO_COST_HINT_KIND_ORDER,           /* objects of one material are not drawn one after the other */
    TRILO_COST_HINT_KIND_FILL,            /* loads leave much of the vertex cache empty */
    TRILO_COST_HINT_KIND_DUPLICATES,      /* vertices are loaded several times */
    TRILO_COST_HINT_KIND_STRIPS,          /* triangles drawn by index could be strips */
    TRILO_COST_HINT_KIND_UNUSED,          /* vertices have attributes that their material does not show */
    TRILO_COST_HINT_KIND_DEGENERATE,      /* triangles have no area */
    TRILO_COST_HINT_KIND_TMEM,            /* textures do not fit into TMEM, or their palettes do not */
    TRILO_COST_HINT_KIND_TEXTURES         /* textures could be smaller, or exist twice */
} trilo_cost_hint_kind;

typedef struct trilo_cost_hint {
    trilo_cost_hint_kind kind;
    uint32_t object, material; /* what it is about; TRILO_NONE: none */
    uint64_t saves;            /* upper bound in bytes per frame; 0: none, or unknown */
    trilo_str text;            /* one sentence, control bytes escaped */
} trilo_cost_hint;

typedef struct trilo_cost {
    trilo_format format;
    uint32_t version;
    trilo_cost_counts counts;
    uint64_t file_size;      /* in memory on the console */
    uint64_t stored_size;    /* in the ROM: less if it is compressed */
    uint64_t companion_size; /* of its streams, which are read during playback */
    uint64_t sprite_size;    /* of the sprites that were found, in memory */
    uint64_t sprite_stored;  /* of the same sprites, in the ROM */
    uint64_t bone_bytes;     /* per instance: a matrix for each bone */
    uint64_t rom, ram;       /* stored_size + companion_size + sprite_stored; file_size + sprite_size + bone_bytes */
    uint32_t material_changes, overlay_switches, uploads;
    uint64_t state_bytes, overlay_bytes, upload_bytes;
    uint64_t frame_bytes;         /* DMA per frame: rsp_bytes + state_bytes + overlay_bytes + upload_bytes */
    double material_microseconds; /* estimated RSP time for state_bytes and overlay_bytes */
    double microseconds;          /* counts.microseconds + material_microseconds */
    uint32_t tmem_most;           /* the largest trilo_cost_material.tmem */
    uint32_t unknown_textures;
    uint32_t object_count, material_count, texture_count, hint_count;
    const trilo_cost_object *objects;
    const trilo_cost_material *materials;
    const trilo_cost_texture *textures;
    const trilo_cost_hint *hints;
} trilo_cost;

typedef struct trilo_cost_opts {
    uint32_t struct_size;          /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;                /* must be 0 */
    trilo_companion_fn *companion; /* provides sprites such as "textures/wall.sprite"; NULL: none are read */
    void *companion_user;
} trilo_cost_opts;

/* Returns NULL and fills *err (which may be NULL) if the check of the file finds an error. `opts` may be NULL. */
TRILO_API const trilo_cost *trilo_document_cost(const trilo_document *document, const trilo_cost_opts *opts,
                                                trilo_error *err);
TRILO_API void trilo_cost_free(const trilo_cost *cost); /* may be NULL */

/* Reports what could be better about the textures of a T3DM model: textures that do not fit TMEM together or cannot
 * have their palettes, formats with more bits than an image needs, files with the same content, images larger than
 * their tile. Other formats have none. Returns false and fills *err (which may be NULL) as trilo_document_cost does. */
TRILO_API bool trilo_document_check_textures(const trilo_document *document, const trilo_cost_opts *opts,
                                             trilo_finding_fn *fn, void *user, trilo_error *err);

/* The cost of filling the pixels of a model. */
typedef struct trilo_cost_fill {
    double pixels, cycles;
    double microseconds; /* these cycles at 62.5 MHz */
    double bytes;        /* moved to and from the colour and depth buffers */
} trilo_cost_fill;
/* Estimates the RDP cost if the model covers that many pixels. They are distributed over the materials by the area of
 * their triangles. Triangles without a material take one cycle per pixel and use the depth buffer. */
TRILO_API trilo_cost_fill trilo_cost_estimate_fill(const trilo_cost *cost, double pixels);

#ifdef __cplusplus
}
#endif
#endif
