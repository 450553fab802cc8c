/* A stream of keys read forward, through a small buffer. */
#include "base/strict_float.h"
#include "formats/t3dm/t3dm.h"

#include "model/stream.h"

enum { SDATA_STREAM_BUFFER = 512 };

typedef struct sdata_source {
    trilo_stream_source from;
    trilo_bytes bytes; /* what `from` reads when the caller has no source of its own */
    size_t bytes_at;
    const t3dm_mapping *mappings; /* a copy */
    uint32_t quat_count, channel_count, key_count;
    tl_sdata_walk walk; /* over what is in the buffer */
    uint8_t buffer[SDATA_STREAM_BUFFER];
} sdata_source;

static ptrdiff_t sdata_stream_read_bytes(void *user, void *bytes, size_t room)
{
    sdata_source *s = user;
    const size_t left = s->bytes.size - s->bytes_at, size = left < room ? left : room;
    if (size > 0)
        memcpy(bytes, s->bytes.data + s->bytes_at, size);
    s->bytes_at += size;
    return (ptrdiff_t)size;
}

static bool sdata_stream_rewind_bytes(void *user)
{
    ((sdata_source *)user)->bytes_at = 0;
    return true;
}

/* Moves what is left to the front and fills up; false when the source failed. */
static bool sdata_stream_refill(sdata_source *s)
{
    size_t have = s->walk.bytes.size - s->walk.at;
    memmove(s->buffer, s->buffer + s->walk.at, have);
    ptrdiff_t got = 1;
    while (have < SDATA_STREAM_BUFFER && got > 0) {
        got = s->from.read(s->from.user, s->buffer + have, SDATA_STREAM_BUFFER - have);
        if (got > 0)
            have += (size_t)got < SDATA_STREAM_BUFFER - have ? (size_t)got : SDATA_STREAM_BUFFER - have;
    }
    s->walk.at = 0;
    s->walk.bytes = (trilo_bytes){s->buffer, have};
    return got >= 0;
}

static bool sdata_stream_next_key(void *source, tl_stream_key *key, bool *ok)
{
    sdata_source *s = source;
    tl_sdata_key from;
    bool read = true;
    if (s->walk.bytes.size - s->walk.at < s->walk.size)
        read = sdata_stream_refill(s);
    const bool is_long = tl_sdata_walk_is_long(&s->walk);
    if (!tl_sdata_walk_next(&s->walk, &from)) {
        const bool at_the_end = read && s->walk.bytes.size == 0 && s->walk.number == s->key_count;
        *ok = *ok && at_the_end;
        return false;
    }
    const bool rotation = from.channel < s->quat_count;
    if (from.channel >= s->channel_count || (from.number > 0 && is_long != rotation)) {
        *ok = false;
        return false;
    }
    const t3dm_mapping *mapping = &s->mappings[from.channel];
    *key = (tl_stream_key){.channel = from.channel, .ticks = from.ticks};
    if (rotation) {
        const trilo_quat q = tl_sdata_unpack_quat(from.value);
        key->value[0] = q.x, key->value[1] = q.y, key->value[2] = q.z, key->value[3] = q.w;
    } else {
        key->value[0] = tl_sdata_unpack_scalar((uint16_t)from.value, mapping->scale, mapping->offset);
    }
    return true;
}

static bool sdata_stream_rewind_source(void *source)
{
    sdata_source *s = source;
    s->walk = tl_sdata_walk_start((trilo_bytes){s->buffer, 0}, s->quat_count);
    return s->from.rewind(s->from.user);
}

static bool sdata_stream_open_source(const t3dm_animation *a, const trilo_stream_source *from, trilo_stream *out)
{
    sdata_source *s = TL_NEW(&out->arena, sdata_source);
    tl_stream_channel *channels = TL_ARRAY(&out->arena, out->channel_count, tl_stream_channel);
    void *mappings = tl_bytes_copy(&out->arena, a->mappings, out->channel_count * sizeof *a->mappings);
    if (!s || !channels || !mappings)
        return false;
    *s = (sdata_source){
        .from = {sdata_stream_read_bytes, sdata_stream_rewind_bytes, s}, .bytes = a->stream, .mappings = mappings};
    if (from)
        s->from = *from;
    s->quat_count = a->head.quat_count;
    s->channel_count = out->channel_count;
    s->key_count = a->head.key_count;
    s->walk = tl_sdata_walk_start((trilo_bytes){s->buffer, 0}, s->quat_count);
    for (uint32_t i = 0; i < out->channel_count; i++) {
        channels[i].node = a->mappings[i].bone;
        channels[i].target = t3dm_target(&a->mappings[i]);
    }
    out->source = s;
    out->channels = channels;
    return true;
}

bool tl_t3dm_stream(const void *t3dm, uint32_t clip, const trilo_stream_source *from, trilo_stream *out,
                    trilo_error *err)
{
    const t3dm_file *file = t3dm;
    const t3dm_animation *a = clip < file->animation_count ? &file->animations[clip] : NULL;
    if (!a || (!from && !a->has_stream))
        return tl_fail(err, TRILO_CODE_CANT_READ, t3dm_rule(T3DM_R_STREAM_MISSING), a ? a->at : TRILO_NOWHERE, NULL,
                       "%s", a ? "its stream was not found beside the model" : "there is no such animation");
    out->channel_count = (uint32_t)a->head.quat_count + a->head.scalar_count;
    /* The order of the channels decides how keys are read, so one that has another type cannot be played. */
    for (uint32_t i = 0; i < out->channel_count; i++) {
        const t3dm_mapping *m = &a->mappings[i];
        const bool rotation = m->type == T3DM_ROTATION;
        if ((!rotation && m->type > T3DM_SCALE) || m->axis > 2 || rotation != (i < a->head.quat_count))
            return tl_fail(err, TRILO_CODE_BAD_VALUE, t3dm_rule(T3DM_R_ANIM_TYPE), a->at, NULL,
                           "a channel type that cannot be played: rotations must come first, then axes");
    }
    out->duration = tl_is_finite(a->head.duration) && a->head.duration > 0 ? a->head.duration : 0;
    out->next = sdata_stream_next_key;
    out->rewind = sdata_stream_rewind_source;
    return sdata_stream_open_source(a, from, out) || tl_fail_memory(err);
}
