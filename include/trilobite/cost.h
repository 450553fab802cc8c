/* cost.h: what it costs to draw a model once, counted from the file.
 *
 * Everything here is a count or follows from counts by a fixed rule, so it is the same on every machine. Times are
 * estimates: docs/cost.md says how they come about and what they leave out.
 */
#ifndef TRILOBITE_COST_H
#define TRILOBITE_COST_H

#include "trilobite/document.h"
#include "trilobite/n64.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a whole model, of one object, or of all objects of a material. A format has 0 where it knows no such thing. */
typedef struct trilo_cost_counts {
    uint64_t parts;              /* of a T3DM object; display lists of a Model; meshes elsewhere */
    uint64_t loads;              /* commands that load vertices */
    uint64_t vertices;           /* loaded; the console loads pairs, so T3DM's loads are rounded up to even ones */
    uint64_t unique;             /* of these, different ones that are drawn, for each object by itself */
    uint64_t duplicates;         /* drawn, but loaded before: vertices = unique + duplicates + padding */
    uint64_t padding;            /* never drawn */
    uint64_t unique_shown;       /* `unique`, if attributes that the material cannot show were all alike */
    uint64_t triangles;          /* lines of an NLM or glTF file count too */
    uint64_t degenerate;         /* triangles without area: drawn for nothing */
    uint64_t list_triangles;     /* drawn by their indices, */
    uint64_t sequence_triangles; /* by vertices that follow each other, */
    uint64_t strip_triangles;    /* and by strips */
    uint64_t list_commands;      /* T3DM: one for each triangle; Model: one or two triangles each */
    uint64_t sequences, strips;  /* commands */
    uint64_t strip_indices;      /* in all strips */
    uint64_t strip_bytes;        /* that the RSP fetches for them, 8 at a time */
    uint64_t runs;               /* pieces of strips: a strip that starts anew twice has three */
    uint64_t modifies;           /* Model: commands that change a loaded vertex */
    uint64_t syncs;              /* T3DM: parts that draw by lists alone end with one */
    uint64_t matrix_sets;        /* T3DM: parts that belong to a bone, */
    uint64_t matrix_pops;        /* and the way back */
    uint64_t commands;           /* of all kinds */
    uint64_t draw_bytes;         /* list, sequence and strip commands, and strip_bytes */
    uint64_t rsp_bytes;          /* commands, vertices, indices and matrices: all that the RSP moves for the geometry */
    uint64_t score;              /* T3DM: estimated cycles of the RSP; 0 elsewhere */
    double microseconds;         /* of these cycles at 62.5 MHz */
    double area;                 /* of all triangles, in units of the file */
} trilo_cost_counts;

typedef struct trilo_cost_texture {
    trilo_str path;
    trilo_texels texels; /* told by the sprite file, or by the path ("wall.ci4.sprite") */
    bool from_file;      /* the sprite file was found */
    uint32_t width, height;
    uint32_t images;                  /* 1, and more with mipmaps; 0: the format is not known */
    uint32_t tmem;                    /* bytes of texels in TMEM, rows rounded up to 8; 0: the format is not known */
    uint32_t palette;                 /* bytes of its palette in TMEM: it takes the upper half, 2048 */
    uint32_t tmem_limit;              /* 4096, or 2048 beside a palette */
    uint64_t file_size;               /* of the sprite in memory; 0: not found */
    uint64_t stored_size;             /* in the ROM */
    uint32_t uploads;                 /* while the model is drawn once */
    uint32_t colors;                  /* distinct texels of the sprite file; 257: more than 256; 0: not found */
    trilo_texels smaller;             /* a format with fewer bits that shows the same; unknown: none, or not found */
    uint32_t same_as;                 /* an earlier texture whose file has the same content; TRILO_NONE */
    uint32_t tile_width, tile_height; /* the largest that a material shows of it */
} trilo_cost_texture;

typedef struct trilo_cost_material {
    trilo_str name;
    uint32_t objects;       /* that use it */
    uint32_t changes;       /* how often the console has to set anything because the material before was another */
    uint32_t uploads;       /* of textures */
    uint64_t state_bytes;   /* commands of Tiny3D itself: fog, effects, draw flags */
    uint64_t overlay_bytes; /* T3DM: the RSP changes its program for every change of the pixel pipeline, and back */
    uint64_t upload_bytes;
    uint32_t textures[2]; /* rows of trilo_cost.textures; TRILO_NONE */
    uint32_t tmem;        /* of both textures together; 0: none, or not known */
    uint32_t tmem_limit;  /* 4096, or 2048 beside a palette */
    uint32_t cycles;      /* of the RDP for a pixel: 1 or 2 */
    bool blends, depth;   /* pixels read what is there; look at the depth buffer */
    trilo_cost_counts counts;
} trilo_cost_material;

typedef struct trilo_cost_object {
    trilo_str name;
    uint32_t material; /* row of trilo_cost.materials; TRILO_NONE */
    bool skinned;      /* bones move it */
    bool changes;      /* its material is not the one before */
    trilo_cost_counts counts;
} trilo_cost_object;

/* What could be better, in words. */
typedef enum trilo_cost_hint_kind {
    TRILO_COST_HINT_MERGE_MATERIALS, /* two that differ in nothing but their names */
    TRILO_COST_HINT_ORDER,           /* objects of one material that stand apart */
    TRILO_COST_HINT_FILL,            /* loads that leave much of the cache empty */
    TRILO_COST_HINT_DUPLICATES,      /* vertices that are loaded again and again */
    TRILO_COST_HINT_STRIPS,          /* list triangles that could be strips */
    TRILO_COST_HINT_UNUSED,          /* attributes that no material shows */
    TRILO_COST_HINT_DEGENERATE,
    TRILO_COST_HINT_TMEM,    /* textures that do not fit */
    TRILO_COST_HINT_TEXTURES /* that could be smaller, or are there twice */
} trilo_cost_hint_kind;

typedef struct trilo_cost_hint {
    trilo_cost_hint_kind kind;
    uint32_t object, material; /* whom it is about; TRILO_NONE */
    uint64_t saves;            /* bytes a frame, at most; 0: none, or not known */
    trilo_str text;            /* one sentence, control bytes escaped */
} trilo_cost_hint;

typedef struct trilo_cost {
    trilo_format format;
    uint32_t version;
    trilo_cost_counts counts;
    uint64_t file_size;      /* as the console has it in memory */
    uint64_t stored_size;    /* as it lies in the ROM: less when it is compressed */
    uint64_t companion_size; /* of streams beside it, which are read while they play */
    uint64_t sprite_size;    /* of the sprites that were found, in memory; */
    uint64_t sprite_stored;  /* in the ROM */
    uint64_t bone_bytes;     /* for each instance: a matrix for each bone */
    uint64_t rom, ram;       /* stored_size + companion_size + sprite_stored; file_size + sprite_size + bone_bytes */
    uint32_t material_changes, overlay_switches, uploads;
    uint64_t state_bytes, overlay_bytes, upload_bytes;
    uint64_t frame_bytes; /* DMA of a frame: rsp_bytes, state_bytes, overlay_bytes and upload_bytes */
    uint32_t tmem_most;   /* the largest trilo_cost_material.tmem */
    uint32_t unknown_textures;
    uint32_t object_count, material_count, texture_count, hint_count;
    const trilo_cost_object *objects;
    const trilo_cost_material *materials;
    const trilo_cost_texture *textures;
    const trilo_cost_hint *hints;
} trilo_cost;

typedef struct trilo_cost_opts {
    uint32_t struct_size;          /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;                /* stays 0 */
    trilo_companion_fn *companion; /* asked for sprites, "textures/wall.sprite"; NULL: none is looked at */
    void *companion_user;
} trilo_cost_opts;

/* NULL, with *err (which may be NULL), for a file whose check has an error. `opts` may be NULL. */
TRILO_API const trilo_cost *trilo_document_cost(const trilo_document *document, const trilo_cost_opts *opts,
                                                trilo_error *err);
TRILO_API void trilo_cost_free(const trilo_cost *cost); /* NULL is fine */

#ifdef __cplusplus
}
#endif
#endif
