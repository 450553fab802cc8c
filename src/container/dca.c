#include "container/dca.h"

#include "base/size.h"
#include "container/dca_stream.h"
#include <inttypes.h>

#define DCA_RULE(id) &tl_dca_rules[TL_DCA_R_##id]

enum { DCA_COMMON_RATIO = 32 };

static const struct {
    const char *name;
    tl_dca_decode_fn *decode;
    unsigned max_ratio; /* output bytes per byte of payload; 0: no bound */
    unsigned slack;     /* bytes that may follow the end of the stream */
} dca_levels[] = {
    {"none", NULL, 0, 0},
    {"LZ4", tl_dca_lz4, 255, 0},
    {"aPLib", tl_dca_aplib, 0, 0},
    {"Shrinkler", tl_dca_shrinkler, 0, 8}, /* may be padded to words, and the last bits may be unused */
};

const char *tl_dca_level_name(int level)
{
    return dca_levels[level >= 1 && level <= TL_DCA_LEVEL_SHRINKLER ? level : 0].name;
}

/* --- the header --- */

bool tl_dca_probe(trilo_bytes in)
{
    tl_dca_header h;
    if (in.size < tl_layout_size(&tl_dca_header_layout, TL_DCA_PREFIX))
        return false;
    tl_layout_load(&tl_dca_header_layout, TL_DCA_PREFIX, in.data, &h);
    return memcmp(h.magic, "DCA", sizeof h.magic) == 0 && h.version >= '0' && h.version <= '9';
}

static size_t dca_field_at(int version, const char *field)
{
    return tl_layout_field(&tl_dca_header_layout, (unsigned)version, field)->at;
}

static bool dca_read_header_3(tl_reader *r, tl_dca_info *info)
{
    tl_dca_header h;
    if (!tl_layout_read(r, &tl_dca_header_layout, TL_DCA_3, &h))
        return false;
    info->level = h.level;
    info->window = tl_dca_windows[h.flags & TL_DCA_WINDOW_MASK];
    info->window_at = (uint32_t)dca_field_at(TL_DCA_3, "flags");
    info->compressed_size = h.compressed_size;
    info->size = h.size;
    info->margin = h.margin;
    info->margin_at = (uint32_t)dca_field_at(TL_DCA_3, "margin");
    return true;
}

static uint32_t dca_read_size(tl_reader *r, const char *what)
{
    const uint64_t at = r->at, value = tl_dca_varint_get(r, what);
    if (value > UINT32_MAX)
        tl_reader_fail(r, TRILO_CODE_BAD_VALUE, DCA_RULE(HEADER), at, "a %s of %" PRIu64 " is above 4 GiB", what,
                       value);
    return r->failed ? 0 : (uint32_t)value;
}

static bool dca_read_header_5(tl_reader *r, tl_dca_info *info)
{
    tl_dca_header h;
    if (!tl_layout_read(r, &tl_dca_header_layout, TL_DCA_5, &h))
        return false;
    info->window_at = (uint32_t)dca_field_at(TL_DCA_5, "settings");
    info->window = tl_dca_windows[h.settings & TL_DCA_WINDOW_MASK];
    info->level = h.settings >> TL_DCA_LEVEL_SHIFT & TL_DCA_LEVEL_MASK;
    if (info->level == 0)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, DCA_RULE(LEVEL), info->window_at, "0, must be 1 to 3");
    info->compressed_size = dca_read_size(r, "compressed size");
    info->size = dca_read_size(r, "size");
    info->margin_at = (uint32_t)r->at;
    info->margin = dca_read_size(r, "margin");
    if (r->at % 2 != 0)
        tl_reader_take(r, "padding", 1, 1);
    return !r->failed;
}

bool tl_dca_read_info(trilo_bytes in, tl_dca_info *info, trilo_error *err)
{
    *info = (tl_dca_info){0};
    tl_reader r = {.base = in.data, .size = in.size, .order = TL_BIG, .truncated = DCA_RULE(TRUNCATED), .err = err};
    tl_path_push(&r.path, "header", TL_NO_INDEX);
    tl_dca_header h;
    if (!tl_layout_read(&r, &tl_dca_header_layout, TL_DCA_PREFIX, &h))
        return false;
    if (!tl_dca_probe(in))
        return tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, DCA_RULE(HEADER), 0,
                              "not a compressed asset: it does not start with DCA and a digit");
    info->version = h.version - '0';
    if (info->version != TL_DCA_3 && info->version != TL_DCA_5)
        return tl_reader_fail(&r, TRILO_CODE_UNSUPPORTED, DCA_RULE(VERSION), dca_field_at(TL_DCA_PREFIX, "version"),
                              "compressed asset of version %d, only 3 and 5 are known%s", info->version,
                              info->version < 3 ? "; it was made before 2024" : "");
    r.at = 0; /* the table of each version includes the prefix */
    if (!(info->version == TL_DCA_3 ? dca_read_header_3(&r, info) : dca_read_header_5(&r, info)))
        return false;
    tl_path_pop(&r.path);
    info->header_size = (uint32_t)r.at;
    if (!tl_reader_take(&r, "payload", 1, info->compressed_size))
        return false;
    if (r.at != r.size)
        return tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, DCA_RULE(SIZE), r.at,
                              "%zu bytes follow the payload, which should end the file", r.size - r.at);
    return true;
}

/* --- the payload --- */

static bool dca_fail(const tl_dca_stream *s, const tl_dca_info *info, tl_dca_end end, trilo_error *err)
{
    const uint64_t at = info->header_size + (s->at < s->in_size ? s->at : s->in_size);
    const char *level = tl_dca_level_name(info->level);
    switch (end) {
    case TL_DCA_CUT:
        return tl_fail(err, TRILO_CODE_TRUNCATED, DCA_RULE(TRUNCATED), at, NULL,
                       "the %s stream has no end: the payload is over after %zu of %" PRIu32 " bytes of output", level,
                       s->written, info->size);
    case TL_DCA_FULL:
        return tl_fail(err, TRILO_CODE_BAD_VALUE, DCA_RULE(SIZE), at, NULL,
                       "the %s stream holds more than the %" PRIu32 " bytes that the header announces", level,
                       info->size);
    case TL_DCA_BEFORE:
        return tl_fail(err, TRILO_CODE_BAD_REF, DCA_RULE(STREAM), at, NULL,
                       "the %s stream copies from %" PRIu64 " bytes back, but only %zu are written", level, s->wrong,
                       s->written);
    default:
        return tl_fail(err, TRILO_CODE_BAD_VALUE, DCA_RULE(STREAM), at, NULL,
                       "the %s stream holds a number above 32 bits", level);
    }
}

/* Decodes the payload and compares its sizes with the header. `out` may be NULL: then the stream is only checked. */
static bool dca_decode(trilo_bytes in, tl_dca_info *info, uint8_t *out, trilo_error *err)
{
    tl_dca_stream s = {
        .in = in.data + info->header_size, .in_size = info->compressed_size, .out = out, .size = info->size};
    /* An empty file may have no stream at all. */
    if (info->size != 0 || info->compressed_size != 0) {
        const tl_dca_end end = info->compressed_size != 0 ? dca_levels[info->level].decode(&s) : TL_DCA_CUT;
        if (end != TL_DCA_ENDED)
            return dca_fail(&s, info, end, err);
    }
    const int64_t margin = s.lead + info->compressed_size - info->size;
    info->margin_needed = margin > 0 ? (uint32_t)margin : 0;
    info->window_needed = (uint32_t)s.farthest;
    if (s.written != info->size)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, DCA_RULE(SIZE), info->header_size + info->compressed_size, NULL,
                       "the %s stream holds %zu bytes, the header announces %" PRIu32, tl_dca_level_name(info->level),
                       s.written, info->size);
    if (s.at < s.in_size && s.in_size - s.at > dca_levels[info->level].slack)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, DCA_RULE(SIZE), info->header_size + s.at, NULL,
                       "the %s stream ends %zu bytes before the payload", tl_dca_level_name(info->level),
                       s.in_size - s.at);
    return true;
}

bool tl_dca_decompress(tl_arena *arena, trilo_bytes in, uint64_t max_size, trilo_bytes *out, tl_dca_info *info,
                       trilo_error *err)
{
    tl_dca_info own;
    info = info ? info : &own;
    *out = (trilo_bytes){NULL, 0};
    if (!tl_dca_read_info(in, info, err))
        return false;
    if (info->size > max_size)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], 0, NULL,
                       "%" PRIu32 " bytes when decompressed, the limit is %" PRIu64, info->size, max_size);
    const uint64_t ratio = dca_levels[info->level].max_ratio, most = ratio * info->compressed_size;
    if (ratio != 0 && info->size > most)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, DCA_RULE(SIZE), info->header_size, NULL,
                       "the header announces %" PRIu32 " bytes, but a payload of %" PRIu32 " can hold %" PRIu64
                       " at most",
                       info->size, info->compressed_size, most);
    /* A size beyond what real files reach is verified by a dry run before memory is allocated for it. */
    if (info->size > (uint64_t)DCA_COMMON_RATIO * info->compressed_size && !dca_decode(in, info, NULL, err))
        return false;
    uint8_t *bytes = tl_array_raw(arena, info->size, 1);
    if (!bytes)
        return tl_fail_memory(err);
    if (!dca_decode(in, info, bytes, err))
        return false;
    *out = (trilo_bytes){bytes, info->size};
    return true;
}

/* --- check --- */

void tl_dca_check(const tl_dca_info *info, bool streamed, tl_report *report)
{
    /* Level 3 in DCA3 ignores its window, but such a file cannot be streamed anyway. */
    if (streamed && info->version == TL_DCA_3 && info->level == TL_DCA_LEVEL_SHRINKLER)
        tl_report_finding(report, DCA_RULE(STREAMED), (uint64_t)dca_field_at(TL_DCA_3, "level"),
                          "level 3 in a DCA3 file, which cannot be read as a stream");
    else if (streamed && info->window < info->window_needed)
        tl_report_finding(report, DCA_RULE(WINDOW), info->window_at,
                          "a window of %" PRIu32 " bytes, but the %s stream reaches %" PRIu32 " bytes back",
                          info->window, tl_dca_level_name(info->level), info->window_needed);
    else if (!streamed && info->margin < info->margin_needed)
        tl_report_finding(report, DCA_RULE(MARGIN), info->margin_at,
                          "a margin of %" PRIu32 " bytes, but the %s stream needs %" PRIu32, info->margin,
                          tl_dca_level_name(info->level), info->margin_needed);
}
