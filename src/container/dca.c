#include "container/dca.h"

#include "base/size.h"
#include "container/dca_stream.h"
#include <inttypes.h>

static const trilo_rule *rule(enum tl_dca_rule_id id)
{
    return &tl_dca_rules[id];
}

static const struct {
    const char *name;
    tl_dca_decode_fn *decode;
    unsigned most;  /* output bytes for each byte of payload, 0: no bound */
    unsigned slack; /* bytes that may follow the end of the stream */
} levels[] = {
    {"none", NULL, 0, 0},
    {"LZ4", tl_dca_lz4, 255, 0},
    {"aPLib", tl_dca_aplib, 0, 0},
    {"Shrinkler", tl_dca_shrinkler, 0, 8}, /* may be padded to words, and its last bits need not be read */
};

const char *tl_dca_level_name(int level)
{
    return levels[level >= 1 && level <= TL_DCA_LEVEL_SHRINKLER ? level : 0].name;
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

static size_t place_of(int version, const char *field)
{
    return tl_layout_field(&tl_dca_header_layout, (unsigned)version, field)->at;
}

static bool read_version(tl_reader *r, trilo_bytes in, tl_dca_info *info)
{
    tl_dca_header h;
    if (!tl_layout_read(r, &tl_dca_header_layout, TL_DCA_PREFIX, &h))
        return false;
    if (!tl_dca_probe(in))
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_HEADER), 0,
                              "no compressed asset: it does not begin with DCA and a digit");
    info->version = h.version - '0';
    r->at = 0; /* the table of the version has these bytes again */
    if (info->version == TL_DCA_3 || info->version == TL_DCA_5)
        return true;
    return tl_reader_fail(r, TRILO_CODE_UNSUPPORTED, rule(TL_DCA_R_VERSION), place_of(TL_DCA_PREFIX, "version"),
                          "compressed asset of version %d, only 3 and 5 are known%s", info->version,
                          info->version < 3 ? "; it was made before 2024" : "");
}

static bool read_form_3(tl_reader *r, tl_dca_info *info)
{
    tl_dca_header h;
    if (!tl_layout_read(r, &tl_dca_header_layout, TL_DCA_3, &h))
        return false;
    info->level = h.level;
    info->window = tl_dca_windows[h.flags & TL_DCA_WINDOW_MASK];
    info->window_at = (uint32_t)place_of(TL_DCA_3, "flags");
    info->compressed_size = h.compressed_size;
    info->size = h.size;
    info->margin = h.margin;
    info->margin_at = (uint32_t)place_of(TL_DCA_3, "margin");
    return true;
}

static uint32_t read_small_varint(tl_reader *r, const char *what)
{
    const uint64_t at = r->at, value = tl_dca_varint_get(r, what);
    if (value > UINT32_MAX)
        tl_reader_fail(r, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_HEADER), at, "a %s of %" PRIu64 " is above 4 GiB", what,
                       value);
    return r->failed ? 0 : (uint32_t)value;
}

static bool read_form_5(tl_reader *r, tl_dca_info *info)
{
    tl_dca_header h;
    if (!tl_layout_read(r, &tl_dca_header_layout, TL_DCA_5, &h))
        return false;
    info->window_at = (uint32_t)place_of(TL_DCA_5, "settings");
    info->window = tl_dca_windows[h.settings & TL_DCA_WINDOW_MASK];
    info->level = h.settings >> TL_DCA_LEVEL_SHIFT & TL_DCA_LEVEL_MASK;
    if (info->level == 0)
        return tl_reader_fail(r, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_LEVEL), info->window_at, "0, must be 1 to 3");
    info->compressed_size = read_small_varint(r, "compressed size");
    info->size = read_small_varint(r, "size");
    info->margin_at = (uint32_t)r->at;
    info->margin = read_small_varint(r, "margin");
    if (r->at % 2 != 0)
        tl_reader_take(r, "padding", 1, 1);
    return !r->failed;
}

bool tl_dca_read_info(trilo_bytes in, tl_dca_info *info, trilo_error *err)
{
    *info = (tl_dca_info){0};
    tl_reader r = {
        .base = in.data, .size = in.size, .order = TL_BIG, .truncated = rule(TL_DCA_R_TRUNCATED), .err = err};
    tl_path_push(&r.path, "header", TL_NO_INDEX);
    if (!read_version(&r, in, info) || !(info->version == TL_DCA_3 ? read_form_3(&r, info) : read_form_5(&r, info)))
        return false;
    tl_path_pop(&r.path);
    info->header_size = (uint32_t)r.at;
    if (!tl_reader_take(&r, "payload", 1, info->compressed_size))
        return false;
    if (r.at != r.size)
        return tl_reader_fail(&r, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_SIZE), r.at,
                              "%zu bytes follow the payload, which should end the file", r.size - r.at);
    return true;
}

/* --- the payload --- */

static tl_dca_stream stream_of(trilo_bytes in, const tl_dca_info *info, uint8_t *out)
{
    return (tl_dca_stream){
        .in = in.data + info->header_size, .in_size = info->compressed_size, .out = out, .size = info->size};
}

static bool fail_end(const tl_dca_stream *s, const tl_dca_info *info, tl_dca_end end, trilo_error *err)
{
    const uint64_t at = info->header_size + (s->at < s->in_size ? s->at : s->in_size);
    const char *level = tl_dca_level_name(info->level);
    switch (end) {
    case TL_DCA_CUT:
        return tl_fail(err, TRILO_CODE_TRUNCATED, rule(TL_DCA_R_TRUNCATED), at, NULL,
                       "the %s stream has no end: the payload is over after %zu of %" PRIu32 " bytes of output", level,
                       s->written, info->size);
    case TL_DCA_FULL:
        return tl_fail(err, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_SIZE), at, NULL,
                       "the %s stream holds more than the %" PRIu32 " bytes that the header announces", level,
                       info->size);
    case TL_DCA_BEFORE:
        return tl_fail(err, TRILO_CODE_BAD_REF, rule(TL_DCA_R_STREAM), at, NULL,
                       "the %s stream copies from %" PRIu64 " bytes back, but only %zu are written", level, s->wrong,
                       s->written);
    default:
        return tl_fail(err, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_STREAM), at, NULL,
                       "the %s stream holds a number above 32 bits", level);
    }
}

/* A decoder may end well and still not where the header says. */
static bool sizes_agree(const tl_dca_stream *s, const tl_dca_info *info, trilo_error *err)
{
    if (s->written != info->size)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_SIZE), info->header_size + info->compressed_size, NULL,
                       "the %s stream holds %zu bytes, the header announces %" PRIu32, tl_dca_level_name(info->level),
                       s->written, info->size);
    if (s->at < s->in_size && s->in_size - s->at > levels[info->level].slack)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_SIZE), info->header_size + s->at, NULL,
                       "the %s stream ends %zu bytes before the payload", tl_dca_level_name(info->level),
                       s->in_size - s->at);
    return true;
}

/* Without `out` the stream is only followed to its end, which takes no memory. */
static bool run(trilo_bytes in, tl_dca_info *info, uint8_t *out, trilo_error *err)
{
    tl_dca_stream s = stream_of(in, info, out);
    /* An empty file may have no stream at all. */
    if (info->size != 0 || info->compressed_size != 0) {
        const tl_dca_end end = info->compressed_size != 0 ? levels[info->level].decode(&s) : TL_DCA_CUT;
        if (end != TL_DCA_ENDED)
            return fail_end(&s, info, end, err);
    }
    const int64_t margin = s.lead + info->compressed_size - info->size;
    info->margin_needed = margin > 0 ? (uint32_t)margin : 0;
    info->window_needed = (uint32_t)s.farthest;
    return sizes_agree(&s, info, err);
}

/* Is the size one that the payload can bear out? Beyond what real files reach, the stream itself is asked. */
static bool size_justified(trilo_bytes in, tl_dca_info *info, trilo_error *err)
{
    enum { ORDINARY = 32 };
    const unsigned most = levels[info->level].most;
    if (most != 0 && info->size > (uint64_t)most * info->compressed_size)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, rule(TL_DCA_R_SIZE), info->header_size, NULL,
                       "the header announces %" PRIu32 " bytes, but a payload of %" PRIu32 " can hold %" PRIu64
                       " at most",
                       info->size, info->compressed_size, (uint64_t)most * info->compressed_size);
    return info->size <= (uint64_t)ORDINARY * info->compressed_size || run(in, info, NULL, err);
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
    if (!size_justified(in, info, err))
        return false;
    uint8_t *bytes = tl_array_raw(arena, info->size, 1);
    if (!bytes)
        return tl_fail_memory(err);
    if (!run(in, info, bytes, err))
        return false;
    *out = (trilo_bytes){bytes, info->size};
    return true;
}

/* --- what the console would do with it --- */

static void check_streamed(const tl_dca_info *info, tl_report *report)
{
    /* Level 3 files of DCA3 name a window without keeping to it, but cannot be streamed anyway. */
    if (info->version == TL_DCA_3 && info->level == TL_DCA_LEVEL_SHRINKLER)
        tl_report_finding(report, rule(TL_DCA_R_STREAMED), (uint64_t)place_of(TL_DCA_3, "level"),
                          "level 3 in a DCA3 file, which cannot be read as a stream");
    else if (info->window < info->window_needed)
        tl_report_finding(report, rule(TL_DCA_R_WINDOW), info->window_at,
                          "a window of %" PRIu32 " bytes, but the %s stream reaches %" PRIu32 " bytes back",
                          info->window, tl_dca_level_name(info->level), info->window_needed);
}

void tl_dca_check(const tl_dca_info *info, bool streamed, tl_report *report)
{
    if (streamed)
        check_streamed(info, report);
    else if (info->margin < info->margin_needed)
        tl_report_finding(report, rule(TL_DCA_R_MARGIN), info->margin_at,
                          "a margin of %" PRIu32 " bytes, but the %s stream needs %" PRIu32, info->margin,
                          tl_dca_level_name(info->level), info->margin_needed);
}
