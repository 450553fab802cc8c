/* A document is checked once, whoever asks; a model that the library made is not checked again. */
#include "api/document.h"
#include "base/bytes.h"
#include "formats/t3dm/t3dm.h"
#include "harness.h"
#include "support/findings.h"
#include "support/t3dm_files.h"
#include "trilobite/trilobite.h"

#include <stdlib.h>
#include <string.h>

/* ---- a document that counts its checks ---- */

static size_t runs, extra_notes, extra_crashes;
static bool out_of_memory;

static void counted_check(const void *file, tl_arena *scratch, tl_report *report)
{
    runs++;
    for (size_t i = 0; i < extra_notes; i++)
        tl_report_finding(report, t3dm_rule(T3DM_R_DEGENERATE), i, "note %u", (unsigned)i);
    for (size_t i = 0; i < extra_crashes; i++)
        tl_report_finding(report, t3dm_rule(T3DM_R_PART_BONE), i, "crash %u", (unsigned)i);
    if (out_of_memory)
        tl_report_finding(report, &tl_general_rules[TL_FILE_MEMORY], TRILO_NOWHERE, "no memory");
    tl_format_t3dm.check(file, scratch, report);
}

typedef struct fixture {
    buffer file, stream;
    tl_format format;
    trilo_document *document;
} fixture;

static void open_kite(fixture *f, trilo_finding_fn *on_finding, void *user)
{
    t3dm_places places;
    *f = (fixture){.format = tl_format_t3dm};
    t3dm_kite(&f->file, 4, &places);
    t3dm_kite_stream(&f->stream);
    f->file.data[places.texture + 8] ^= 1; /* a wrong hash: an error */
    runs = extra_notes = extra_crashes = 0;
    out_of_memory = false;
    const trilo_load_opts opts = {.companion = t3dm_kite_companion,
                                  .companion_user = &f->stream,
                                  .name = "kite.t3dm",
                                  .on_finding = on_finding,
                                  .on_finding_user = user};
    f->document = trilo_document_open(f->file.data, f->file.size, &opts, NULL);
    CHECK(f->document != NULL);
    f->format.check = counted_check;
    f->document->format = &f->format;
}

static void close_kite(fixture *f)
{
    trilo_document_free(f->document);
    buffer_free(&f->file);
    buffer_free(&f->stream);
}

static void check_same(const listener *a, const listener *b)
{
    CHECK_INT(a->count, b->count);
    for (size_t i = 0; i < a->count && i < LISTENER_MOST; i++) {
        CHECK_STR(a->rules[i], b->rules[i]);
        CHECK_STR(a->paths[i], b->paths[i]);
        CHECK_STR(a->texts[i], b->texts[i]);
        CHECK(a->offsets[i] == b->offsets[i]);
    }
}

/* ---- documents ---- */

TEST(the_check_runs_once)
{
    listener first = {0}, second = {0};
    trilo_error err = {0};
    fixture f;
    open_kite(&f, NULL, NULL);
    const trilo_tally tally = trilo_document_check(f.document, listen, &first);
    CHECK(tally.errors > 0 && first.count > 0);
    const trilo_tally again = trilo_document_check(f.document, listen, &second);
    CHECK(memcmp(&tally, &again, sizeof tally) == 0);
    check_same(&first, &second);
    CHECK_INT(trilo_document_check(f.document, NULL, NULL).errors, tally.errors);
    CHECK(trilo_document_model(f.document, &err) == NULL);
    CHECK_STR(err.rule, "T3DM-TEXTURE-HASH");
    CHECK(trilo_document_cost(f.document, NULL, &err) == NULL);
    CHECK_STR(err.rule, "T3DM-TEXTURE-HASH");
    buffer out = {0};
    CHECK(!trilo_document_optimize(f.document, NULL, NULL, buffer_sink, &out, &err));
    CHECK_STR(err.rule, "T3DM-TEXTURE-HASH");
    CHECK(!trilo_document_write(f.document, &(trilo_rewrite_opts){.format_version = 3}, buffer_sink, &out, &err));
    CHECK_INT(runs, 1);
    buffer_free(&out);
    close_kite(&f);
}

/* Errors and crashes of the console do not cancel out. */
TEST(a_file_with_errors_keeps_its_version)
{
    for (size_t crashes = 0; crashes < 3; crashes++) {
        trilo_error err = {0};
        buffer out = {0};
        fixture f;
        open_kite(&f, NULL, NULL);
        extra_crashes = crashes;
        const trilo_tally tally = trilo_document_check(f.document, NULL, NULL);
        CHECK_INT(tally.errors, 1);
        CHECK_INT(tally.crashes, crashes);
        CHECK(!trilo_document_write(f.document, &(trilo_rewrite_opts){.format_version = 3}, buffer_sink, &out, &err));
        CHECK_STR(err.text, "the file has errors, so it cannot be converted to another version");
        CHECK_INT(out.size, 0);
        buffer_free(&out);
        close_kite(&f);
    }
}

/* A check without a listener keeps its findings for the one who asks later. */
TEST(a_silent_check_can_be_reported_later)
{
    listener l = {0}, model = {0};
    fixture f;
    open_kite(&f, listen, &model);
    const trilo_tally tally = trilo_document_check(f.document, NULL, NULL);
    trilo_document_check(f.document, listen, &l);
    CHECK_INT(l.count, tally.notes + tally.warnings + tally.errors + tally.crashes);
    CHECK(trilo_document_model(f.document, NULL) == NULL);
    check_same(&l, &model);
    CHECK_INT(runs, 1);
    close_kite(&f);
}

static void count_findings(void *user, const trilo_finding *finding)
{
    (void)finding;
    ++*(size_t *)user;
}

/* More findings than are kept: the tally stays known, a listener needs another run. */
TEST(too_many_findings_are_looked_for_again)
{
    size_t count = 0;
    fixture f;
    open_kite(&f, NULL, NULL);
    extra_notes = 3000;
    const trilo_tally tally = trilo_document_check(f.document, NULL, NULL);
    CHECK(tally.notes >= 3000);
    CHECK_INT(trilo_document_check(f.document, NULL, NULL).notes, tally.notes);
    CHECK_INT(runs, 1);
    CHECK_INT(trilo_document_check(f.document, count_findings, &count).notes, tally.notes);
    CHECK_INT(count, tally.notes + tally.warnings + tally.errors + tally.crashes);
    CHECK_INT(runs, 2);
    close_kite(&f);
}

/* What a check says that ran out of memory holds for that moment only. */
TEST(a_check_without_memory_is_not_kept)
{
    fixture f;
    open_kite(&f, NULL, NULL);
    out_of_memory = true;
    const size_t errors = trilo_document_check(f.document, NULL, NULL).errors;
    out_of_memory = false;
    CHECK_INT(trilo_document_check(f.document, NULL, NULL).errors, errors - 1);
    CHECK_INT(runs, 2);
    CHECK_INT(trilo_document_check(f.document, NULL, NULL).errors, errors - 1);
    CHECK_INT(runs, 2);
    close_kite(&f);
}

/* ---- streams ---- */

/* A broken stream is no reason not to open a document, but one not to make a model of it. */
TEST(a_broken_stream_is_an_error_of_the_check)
{
    listener l = {0};
    trilo_error err = {0};
    fixture f = {.file = {0}};
    t3dm_places places;
    t3dm_kite(&f.file, 4, &places);
    t3dm_kite_stream(&f.stream);
    f.stream.size--;
    const trilo_load_opts opts = {.companion = t3dm_kite_companion, .companion_user = &f.stream, .name = "kite.t3dm"};
    f.document = trilo_document_open(f.file.data, f.file.size, &opts, &err);
    CHECK(f.document != NULL);
    trilo_document_check(f.document, listen, &l);
    expect(&l, "T3DM-STREAM-LENGTH", "animations[0].stream", "a stream that was cut");
    CHECK(trilo_document_model(f.document, &err) == NULL);
    CHECK_STR(err.rule, "T3DM-STREAM-LENGTH");
    close_kite(&f);
}

/* ---- containers ---- */

/* A DCA3 file of level 1 whose LZ4 stream is one run of literals. Token and length come first, so the payload is longer
 * than the output by as much as the margin, which is 0, would have to be. */
TEST(crashes_of_a_container_are_counted)
{
    buffer kite = {0}, file = {0};
    t3dm_places places;
    listener l = {0};
    t3dm_kite(&kite, 4, &places);
    const size_t more = (kite.size - 15) / 255;
    uint8_t head[20] = {'D', 'C', 'A', '3', 0, 1, 1, 2};
    tl_put_u32(head + 8, TL_BIG, (uint32_t)(2 + more + kite.size));
    tl_put_u32(head + 12, TL_BIG, (uint32_t)kite.size);
    CHECK(buffer_sink(&file, head, sizeof head) && buffer_sink(&file, &(uint8_t){0xF0}, 1));
    for (size_t i = 0; i < more; i++)
        CHECK(buffer_sink(&file, &(uint8_t){255}, 1));
    CHECK(buffer_sink(&file, &(uint8_t){(uint8_t)((kite.size - 15) % 255)}, 1));
    CHECK(buffer_sink(&file, kite.data, kite.size));
    trilo_document *document = trilo_document_open(file.data, file.size, NULL, NULL);
    CHECK(document != NULL);
    CHECK_INT(trilo_document_check(document, listen, &l).crashes, 1);
    CHECK_STR(l.rules[0], "DCA-MARGIN");
    trilo_document_free(document);
    buffer_free(&file);
    buffer_free(&kite);
}

/* ---- models ---- */

static bool drop(void *user, const void *bytes, size_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

/* A copy that a caller changes is a model of his own, and checked like one. */
TEST(a_changed_copy_is_checked)
{
    trilo_error err = {0};
    buffer file = {0};
    t3dm_places places;
    t3dm_kite(&file, 4, &places);
    const trilo_model *model = trilo_model_load(file.data, file.size, NULL, &err);
    CHECK(model != NULL && model->mesh_count > 0);
    const trilo_write_opts opts = {.format = TRILO_FORMAT_NLM};
    CHECK(trilo_model_write(model, &opts, drop, NULL, &err));
    trilo_model copy = *model;
    trilo_mesh mesh = model->meshes[0];
    mesh.material = 77;
    copy.meshes = &mesh;
    CHECK(!trilo_model_write(&copy, &opts, drop, NULL, &err));
    CHECK_STR(err.rule, "MODEL-INDEX");
    const trilo_model *edited = trilo_model_edit(model, NULL, NULL, &err);
    CHECK(edited != NULL && edited->self == edited && trilo_model_check(edited, &err));
    trilo_model_free(edited);
    trilo_model_free(model);
    buffer_free(&file);
}

TEST_MAIN(CASE(the_check_runs_once), CASE(a_file_with_errors_keeps_its_version),
          CASE(a_silent_check_can_be_reported_later), CASE(too_many_findings_are_looked_for_again),
          CASE(a_check_without_memory_is_not_kept), CASE(a_broken_stream_is_an_error_of_the_check),
          CASE(crashes_of_a_container_are_counted), CASE(a_changed_copy_is_checked))
