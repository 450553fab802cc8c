/* clips.h: what the command line asks of clips. */
#ifndef CLI_CLIPS_H
#define CLI_CLIPS_H

#include "convert/convert.h"

/* --anim-error: how far the clips of a T3DM model may be off. */
exit_code clips_read_bound(const cli_args *args, trilo_t3dm_write_opts *t3dm);

/* Do --clip or --fps ask for other clips than those of the input? */
bool clips_change(const cli_conversion *conversion);
/* Carries --clip and --fps out on the model that was read, or on what became of it. A failure has been explained. */
exit_code clips_edit(cli_conversion *conversion);

/* There is no clip of that name, which an option gave. */
exit_code clips_unknown(const cli_args *args, const char *option, const trilo_model *model, const char *name);

#endif
