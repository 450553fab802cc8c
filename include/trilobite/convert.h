/* convert.h: converts a document to the files of a format, first in memory, then to disk: all files or none.
 *
 *     trilo_document_open_file -> trilo_convert -> trilo_conversion_commit
 *
 * A conversion reads the model, edits it, gives its images their names on the console, encodes it and compresses the
 * result. If the format stays the same and no edit is requested, the records of the document are kept byte for byte.
 */
#ifndef TRILOBITE_CONVERT_H
#define TRILOBITE_CONVERT_H

#include "trilobite/clip.h"
#include "trilobite/document.h"
#include "trilobite/file.h"
#include "trilobite/optimize.h"
#include "trilobite/sprite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why a model would be invisible. */
typedef enum trilo_emptiness {
    TRILO_EMPTINESS_NONE,         /* it is visible, or was not examined */
    TRILO_EMPTINESS_NO_TRIANGLES, /* it has no triangles, but may have clips */
    TRILO_EMPTINESS_POINT,        /* all triangles collapse to a single point */
    TRILO_EMPTINESS_SCALE         /* at the scale of the file, it is smaller than half a unit */
} trilo_emptiness;

/* The rule that such a model breaks; NULL for TRILO_EMPTINESS_NONE. */
TRILO_API const trilo_rule *trilo_emptiness_rule(trilo_emptiness emptiness);

/* What to do about an invisible model. */
typedef enum trilo_when_empty {
    TRILO_WHEN_EMPTY_AUTO,   /* refuse it unless it has clips; for T3DM also refuse a scale that collapses it */
    TRILO_WHEN_EMPTY_REFUSE, /* refuse it, even if it has clips */
    TRILO_WHEN_EMPTY_REPORT, /* convert it, and report a finding */
    TRILO_WHEN_EMPTY_ALLOW   /* do not examine it */
} trilo_when_empty;

typedef enum trilo_convert_step {
    TRILO_CONVERT_STEP_READ,  /* reads the document: findings are about its file */
    TRILO_CONVERT_STEP_EDIT,  /* edits its model */
    TRILO_CONVERT_STEP_ENCODE /* encodes the result: findings are about what is written */
} trilo_convert_step;

/* Called when a step begins. */
typedef void trilo_convert_step_fn(void *user, trilo_convert_step step);

/* Called once the model is known, to choose the clips of the result: it may change *edit, a copy of
 * trilo_convert_opts.clips. To end the conversion, fill *err and return false. */
typedef bool trilo_choose_clips_fn(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err);

/* Sprites of the images that a T3DM model shows, beside it. */
typedef struct trilo_convert_sprites {
    uint32_t struct_size;            /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;                  /* must be 0 */
    const trilo_sprite_opts *sprite; /* how they are encoded; format, palette and detail are not used. NULL: defaults */
    double max_delta_e;              /* of formats that are searched, and of shared palettes, as in trilo_plan_opts */
    bool share_palettes;             /* CI4 and CI8 sprites of the model share palettes: trilo_palettes_share */
    trilo_decode_fn *decode;         /* as in trilo_decode_opts */
    void *decode_user;
} trilo_convert_sprites;

/* Options of a single step are pointers; NULL: the defaults. If their on_finding or on_progress is NULL, the one
 * below is used. */
typedef struct trilo_convert_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    /* Format (unknown: that of the document), name and encoding. Its companion callback is not used. */
    const trilo_write_opts *write;
    const trilo_rewrite_opts *rewrite;   /* compression; format_version is taken from write->t3dm.version */
    const trilo_model_edit_opts *edit;   /* edits of size and textures */
    const trilo_clip_edit *clips;        /* for a Model, the rate is that of its frames, otherwise of keys */
    trilo_choose_clips_fn *choose_clips; /* NULL: `clips` is used unchanged */
    void *choose_clips_user;
    const trilo_optimize_opts *optimize; /* NULL: none; otherwise the format stays and nothing is edited */
    bool reencode;    /* encode the model even if the records could be kept, so that write options apply */
    bool single_file; /* no companion files: data is embedded, and an error is returned for what cannot be */
    trilo_when_empty when_empty;
    trilo_finding_fn *on_finding; /* receives what the conversion loses */
    void *on_finding_user;
    trilo_convert_step_fn *on_step;
    void *on_step_user;
    trilo_progress_fn *on_progress; /* of the longest step: optimizing or encoding */
    void *on_progress_user;
    const trilo_convert_sprites *sprites; /* for T3DM; NULL: none are made */
} trilo_convert_opts;

/* A companion of the main file, such as "hero.0.sdata". */
typedef struct trilo_converted_file {
    const char *name; /* may be in a subfolder, but never in a folder above */
    trilo_bytes bytes;
    bool is_stream; /* has the keys of a clip */
    bool is_sprite; /* is an image that a material shows */
} trilo_converted_file;

typedef struct trilo_converted_sprite {
    uint32_t texture;   /* of the model */
    uint32_t companion; /* the file; several textures may have the same */
    trilo_texels texels;
    bool searched;     /* the format was chosen by a search */
    bool within_error; /* false: no format was near enough */
    uint32_t width, height, source_width, source_height, color_count;
    trilo_image_difference difference; /* from the image at the size of the sprite */
    trilo_shared_image shared;         /* with share_palettes; otherwise image_count is 0 */
} trilo_converted_sprite;

typedef struct trilo_conversion {
    trilo_format format;
    bool exact;        /* the records of the document were kept */
    bool compressed;   /* `bytes` is a compressed asset */
    trilo_bytes bytes; /* the main file */
    uint32_t companion_count;
    const trilo_converted_file *companions;
    trilo_emptiness emptiness;
    uint32_t mesh_count, clip_count; /* of the encoded model; 0 if none was encoded */
    uint64_t triangle_count;
    uint32_t sprite_count;
    const trilo_converted_sprite *sprites;
} trilo_conversion;

/* Returns NULL and fills *err (which may be NULL) if the check of the file finds an error, if the format cannot store
 * the model, or if an option refuses it. The document is not needed afterwards. */
TRILO_API const trilo_conversion *trilo_convert(const trilo_document *document, const trilo_convert_opts *opts,
                                                trilo_error *err);
TRILO_API void trilo_conversion_free(const trilo_conversion *conversion); /* may be NULL */

/* ---- writing to disk ---- */

typedef enum trilo_commit_state {
    TRILO_COMMIT_STATE_WRITTEN,
    TRILO_COMMIT_STATE_REPLACED,  /* overwrote different content, which another model may need */
    TRILO_COMMIT_STATE_UNCHANGED, /* the file already had these bytes */
    TRILO_COMMIT_STATE_FAILED     /* this file is the reason that nothing was written */
} trilo_commit_state;

/* What happened to a file. */
typedef struct trilo_committed {
    const char *path;
    trilo_commit_state state;
    uint32_t companion; /* its index; TRILO_NONE: the main file, or an extra one */
    bool is_main;
    const trilo_finding *finding; /* about a file that was replaced; valid during the call; NULL: none */
} trilo_committed;
typedef void trilo_committed_fn(void *user, const trilo_committed *file);

typedef struct trilo_commit_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* must be 0 */
    uint32_t
        extra_count; /* further files that are written together with the others, such as a dependency file of make */
    const trilo_extra_file *extras;
    trilo_committed_fn *on_file; /* called for the file that failed, or for every file if none did */
    void *on_file_user;
    bool no_sync; /* do not wait until the disk has the files: after a power failure they may be empty */
} trilo_commit_opts;

/* Writes the main file to `path`, its companions beside it, and the extra files: all of them or none. A companion never
 * overwrites a file that the document still needs, nor a file that is neither a stream nor named after `path`. */
TRILO_API bool trilo_conversion_commit(const trilo_conversion *conversion, const char *path,
                                       const trilo_commit_opts *opts, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
