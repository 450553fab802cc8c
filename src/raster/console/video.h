/* video.h: the video interface, from the colour buffer to the television. */
#ifndef TL_RASTER_CONSOLE_VIDEO_H
#define TL_RASTER_CONSOLE_VIDEO_H

#include "raster/raster.h"

/* `pixels` is twice as wide and high. `scratch` has two rows of the buffer's width. */
void tl_video_output(const tl_framebuffer *framebuffer, const trilo_console *console, uint8_t (*scratch)[4],
                     uint8_t (*pixels)[4]);

#endif
