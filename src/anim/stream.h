/* stream.h: playing keys that come one after the other. */
#ifndef TL_ANIM_STREAM_H
#define TL_ANIM_STREAM_H

#include "model/stream.h"

/* Goes to a moment: back to the first key when that lies in front of the last one. */
void tl_stream_go(trilo_stream *stream, float seconds);

/* The value of a channel at that moment, after reading on until its key is there; false: none has come. Channels must
 * be asked in their order, which is that of the stream. */
bool tl_stream_channel_value(trilo_stream *stream, uint32_t channel, float value[4]);

#endif
