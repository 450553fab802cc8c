#include "render/render.h"

#include "system.h"

#include <inttypes.h>

enum { BAR = 40 };

render_progress progress_start(const cli_args *args, uint64_t total)
{
    const bool seen = total > 1 && !args->quiet && system_is_terminal(args->err.file);
    return (render_progress){.out = seen ? args->err.file : NULL, .total = total, .shown = BAR + 1};
}

void progress_step(render_progress *progress)
{
    progress->done++;
    const uint32_t filled = (uint32_t)(progress->done * BAR / progress->total);
    if (!progress->out || filled == progress->shown)
        return;
    progress->shown = filled;
    fputs("\r[", progress->out);
    for (uint32_t i = 0; i < BAR; i++)
        fputc(i < filled ? '#' : '.', progress->out);
    fprintf(progress->out, "] %" PRIu64 " of %" PRIu64, progress->done, progress->total);
    fflush(progress->out);
}

/* Clears the line for the next message. */
void progress_finish(render_progress *progress)
{
    if (progress->out) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
    }
    progress->out = NULL;
}
