/* Damaged files reoptimized: refused, or a valid file again. */
#include "harness.h"
#include "support/documents.h"
#include "support/findings.h"
#include "support/model64_files.h"
#include "support/t3dm_files.h"
#include "trilobite/optimize.h"

#include <stdlib.h>
#include <string.h>

typedef struct outcome {
    size_t refused, made;
} outcome;

/* What comes out of a damaged file must be as sound as what comes out of any other. */
static void try(const uint8_t *bytes, size_t size, const trilo_optimize_opts *opts, outcome *sum)
{
    buffer made = {0};
    trilo_error err = {0};
    trilo_document *document = trilo_document_open(bytes, size, NULL, &err);
    const bool ok = document && trilo_document_optimize(document, opts, NULL, buffer_sink, &made, &err);
    trilo_document_free(document);
    CHECK_INT(err.code == TRILO_CODE_OK, ok);
    sum->made += ok;
    sum->refused += !ok;
    if (ok) {
        document = trilo_document_open(made.data, made.size, NULL, &err);
        if (!document)
            FAIL("%s at %s: %s", err.rule, err.path, err.text);
        trilo_document_check(document, fail_on_error, "optimized");
        trilo_document_free(document);
    }
    buffer_free(&made);
}

static void torture(buffer *file, const trilo_optimize_opts *opts)
{
    static const uint8_t changes[] = {0x01, 0x04, 0x80, 0xFF};
    outcome flipped = {0}, cut = {0};
    const size_t step = test_rounds(1, TEST_EMULATED ? 5 : 1);
    for (size_t i = 0; i < file->size; i += step)
        for (size_t k = test_full() ? 0 : i % sizeof changes; k < sizeof changes;
             k += test_full() ? 1 : sizeof changes) {
            file->data[i] ^= changes[k];
            try(file->data, file->size, opts, &flipped);
            file->data[i] ^= changes[k];
        }
    for (size_t size = 0; size < file->size; size += step) {
        uint8_t *bytes = malloc(size ? size : 1); /* of its own, so that a read behind it is noticed */
        CHECK(bytes);
        memcpy(bytes, file->data, size);
        try(bytes, size, opts, &cut);
        free(bytes);
    }
    CHECK(flipped.made > 0 && flipped.refused > 0);
    CHECK(cut.refused > 0);
}

TEST(a_damaged_kite)
{
    t3dm_places places;
    buffer kite = {0};
    t3dm_kite(&kite, 4, &places);
    torture(&kite, &(trilo_optimize_opts){.level = 1});
    torture(&kite, &(trilo_optimize_opts){.level = 2, .resident = true, .drop_unused = true});
    buffer_free(&kite);
}

TEST(a_damaged_kite_of_old)
{
    t3dm_places places;
    buffer kite = {0};
    t3dm_kite(&kite, 2, &places);
    torture(&kite, &(trilo_optimize_opts){.level = 1});
    buffer_free(&kite);
}

TEST(a_damaged_pennant)
{
    buffer pennant = {0};
    model64_pennant(&pennant);
    torture(&pennant, &(trilo_optimize_opts){.level = 1});
    buffer_free(&pennant);
}

TEST(a_damaged_box)
{
    buffer box = {0};
    model64_box(&box);
    torture(&box, &(trilo_optimize_opts){.level = 1});
    buffer_free(&box);
}

TEST_MAIN(CASE(a_damaged_kite), CASE(a_damaged_kite_of_old), CASE(a_damaged_pennant), CASE(a_damaged_box))
