/* convert.h: the whole way from a document to the files of a format, first in memory, then to disk: all files or none.
 *
 *     trilo_document_open_file -> trilo_convert -> trilo_conversion_commit
 *
 * A conversion reads the model, edits it, names its images as the console does, encodes it and compresses the result. A
 * document that keeps its format, and of which nothing else is asked, keeps its records byte for byte.
 */
#ifndef TRILOBITE_CONVERT_H
#define TRILOBITE_CONVERT_H

#include "trilobite/clip.h"
#include "trilobite/document.h"
#include "trilobite/optimize.h"
#include "trilobite/sprite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why nothing of a model would be seen. */
typedef enum trilo_emptiness {
    TRILO_EMPTINESS_NONE,         /* something is seen, or nobody asked */
    TRILO_EMPTINESS_NO_TRIANGLES, /* it may still have clips */
    TRILO_EMPTINESS_POINT,        /* all triangles are a single point */
    TRILO_EMPTINESS_SCALE         /* at the scale of the file, it is smaller than half a unit */
} trilo_emptiness;

/* What to do about a model that shows nothing. */
typedef enum trilo_when_empty {
    TRILO_WHEN_EMPTY_AUTO,   /* refuse a scale that makes a point, and glTF without triangles and clips, for T3DM */
    TRILO_WHEN_EMPTY_REFUSE, /* also when it has clips */
    TRILO_WHEN_EMPTY_REPORT, /* convert it, and report a T3DM that shows nothing as a finding */
    TRILO_WHEN_EMPTY_ALLOW   /* do not look */
} trilo_when_empty;

typedef enum trilo_convert_step {
    TRILO_CONVERT_STEP_READ,  /* the document: findings are about its file */
    TRILO_CONVERT_STEP_EDIT,  /* its model */
    TRILO_CONVERT_STEP_ENCODE /* the result: findings are about what is written */
} trilo_convert_step;

/* Told when a step begins. */
typedef void trilo_convert_step_fn(void *user, trilo_convert_step step);

/* Asked for the clips of the result once the model is known: changes *edit, which is a copy of
 * trilo_convert_opts.clips. False, with *err filled, ends the conversion. */
typedef bool trilo_choose_clips_fn(void *user, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err);

/* Sprites of the images that a T3DM model shows, beside it. */
typedef struct trilo_convert_sprites {
    uint32_t struct_size;            /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;                  /* stays 0 */
    const trilo_sprite_opts *sprite; /* how they are encoded; format, palette and detail are not used. NULL: defaults */
    double max_delta_e;              /* of formats that are searched, as in trilo_plan_opts */
    trilo_decode_fn *decode;         /* as in trilo_decode_opts */
    void *decode_user;
} trilo_convert_sprites;

/* Options of a part of the work are pointers; NULL: the defaults. A callback of theirs that is NULL is `on_finding`. */
typedef struct trilo_convert_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    /* Format (unknown: that of the document), name and encoding. The companion callback is not used. */
    const trilo_write_opts *write;
    const trilo_rewrite_opts *rewrite;   /* compression; format_version is taken from write->t3dm.version */
    const trilo_model_edit_opts *edit;   /* size and textures */
    const trilo_clip_edit *clips;        /* a rate is that of the frames of a Model, and of the keys of others */
    trilo_choose_clips_fn *choose_clips; /* NULL: `clips` are as they are */
    void *choose_clips_user;
    const trilo_optimize_opts *optimize; /* NULL: not; otherwise the document keeps its format, and is not edited */
    bool reencode;    /* through the model, also when the records could stay; needed for write options to matter then */
    bool single_file; /* there is no place for companions: data is embedded, and what cannot be is refused */
    trilo_when_empty when_empty;
    trilo_finding_fn *on_finding; /* told what is lost on the way, from the document to the result */
    void *on_finding_user;
    trilo_convert_step_fn *on_step;
    void *on_step_user;
    trilo_progress_fn *on_progress; /* of the step that takes longest: optimising or encoding */
    void *on_progress_user;
    const trilo_convert_sprites *sprites; /* for T3DM; NULL: none are made */
} trilo_convert_opts;

/* A file that belongs to the main one: "hero.0.sdata". */
typedef struct trilo_converted_file {
    const char *name; /* may have folders in front, but none above */
    trilo_bytes bytes;
    bool is_stream; /* it holds the keys of a clip */
    bool is_sprite; /* it is an image that a material shows */
} trilo_converted_file;

typedef struct trilo_converted_sprite {
    uint32_t texture;   /* of the model */
    uint32_t companion; /* the file; several textures may have the same */
    trilo_texels texels;
    bool searched;     /* the format was */
    bool within_error; /* false: no format was near enough */
    uint32_t width, height, source_width, source_height, color_count;
    trilo_image_difference difference; /* from the image at the size of the sprite */
} trilo_converted_sprite;

typedef struct trilo_conversion {
    trilo_format format;
    bool exact;        /* the records are those of the document */
    bool compressed;   /* the bytes are a compressed asset */
    trilo_bytes bytes; /* the main file */
    uint32_t companion_count;
    const trilo_converted_file *companions;
    trilo_emptiness emptiness;
    uint32_t mesh_count, clip_count; /* of the model that was encoded; 0 when there was none */
    uint64_t triangle_count;
    uint32_t sprite_count;
    const trilo_converted_sprite *sprites;
} trilo_conversion;

/* NULL, with *err (which may be NULL), for a file whose check has an error, for a model that the format cannot hold, or
 * when an option refuses it. The result does not need the document any more. */
TRILO_API const trilo_conversion *trilo_convert(const trilo_document *document, const trilo_convert_opts *opts,
                                                trilo_error *err);
TRILO_API void trilo_conversion_free(const trilo_conversion *conversion); /* NULL is fine */

/* ---- to disk ---- */

typedef enum trilo_commit_state {
    TRILO_COMMIT_STATE_WRITTEN,
    TRILO_COMMIT_STATE_REPLACED,  /* written over other content, which another model may have needed */
    TRILO_COMMIT_STATE_UNCHANGED, /* the file has these bytes already */
    TRILO_COMMIT_STATE_FAILED     /* it is why nothing was written */
} trilo_commit_state;

/* What became of a file. */
typedef struct trilo_committed {
    const char *path;
    trilo_commit_state state;
    uint32_t companion; /* its number; TRILO_NONE: the main file, or an extra one */
    bool is_main;
} trilo_committed;
typedef void trilo_committed_fn(void *user, const trilo_committed *file);

/* A file that belongs to the same step of a build, such as a rule for make. */
typedef struct trilo_extra_file {
    const char *path;
    trilo_bytes bytes;
} trilo_extra_file;

typedef struct trilo_commit_opts {
    uint32_t struct_size; /* sizeof of this struct, or 0; see docs/api-policy.md */
    uint32_t guard;       /* stays 0 */
    uint32_t extra_count;
    const trilo_extra_file *extras;
    trilo_committed_fn *on_file; /* told about every file: the one that failed, or all when none did */
    void *on_file_user;
} trilo_commit_opts;

/* Writes the main file to `path`, its companions beside it, and the extra files: all of them, or none. Companions never
 * replace a file of the document that stays, nor a file that is neither a stream nor named after `path`. */
TRILO_API bool trilo_conversion_commit(const trilo_conversion *conversion, const char *path,
                                       const trilo_commit_opts *opts, trilo_error *err);

#ifdef __cplusplus
}
#endif
#endif
