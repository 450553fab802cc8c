/* clips.h: options for clips. */
#ifndef CLI_CLIPS_H
#define CLI_CLIPS_H

#include "convert/convert.h"

/* --anim-error: the largest error of the clips of a T3DM model. */
exit_code clips_read_bound(const cli_args *args, trilo_t3dm_write_opts *t3dm);

/* --clip, for trilo_convert_opts.choose_clips: `conversion` is a cli_conversion. Failures are reported on standard
 * error. */
bool clips_choose(void *conversion, const trilo_model *model, trilo_clip_edit *edit, trilo_error *err);

/* Fails because an option names a clip that does not exist. */
exit_code clips_unknown(const cli_args *args, const char *option, const trilo_model *model, const char *name);

#endif
