/* sprites.h: the sprites of a model that is converted for Tiny3D. */
#ifndef TL_API_CONVERT_SPRITES_H
#define TL_API_CONVERT_SPRITES_H

#include "api/convert/convert.h"
#include "api/convert/write_opts.h"

/* Makes a sprite of each image that a material shows, and hands it to `keep` under its name beside the model. Gives the
 * textures of the model, which may be changed, the paths and sizes of their sprites. What cannot be made is a finding.
 * `opts` and opts->sprite are complete (TL_OPTS_TAKE). */
bool tl_convert_sprites(tl_conversion *out, const trilo_document *document, const trilo_model *model,
                        const tl_write_opts *write, const trilo_convert_sprites *opts, trilo_companion_write_fn *keep,
                        trilo_error *err);

#endif
