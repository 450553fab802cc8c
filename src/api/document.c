#include "api/document.h"

#include "api/foreign_file.h"
#include "api/materials/materials.h"
#include "api/registry.h"
#include "base/opts.h"
#include "import/import.h"
#include "model/owned.h"
#include <string.h>

static bool document_take_opts(trilo_document *document, const trilo_load_opts *opts, trilo_error *err)
{
    document->opts = *opts;
    document->opts.nlm = &document->nlm;
    document->opts.model64 = &document->model64;
    document->opts.gltf = &document->gltf;
    return TL_OPTS_TAKE(&document->nlm, opts->nlm, err) && TL_OPTS_TAKE(&document->model64, opts->model64, err) &&
           TL_OPTS_TAKE(&document->gltf, opts->gltf, err);
}

static trilo_document *document_new(const trilo_load_opts *opts, trilo_error *err)
{
    trilo_load_opts own;
    if (!TL_OPTS_TAKE(&own, opts, err))
        return NULL;
    tl_arena arena;
    tl_arena_init(&arena, &own.memory);
    trilo_document *document = TL_NEW(&arena, trilo_document);
    tl_document_checks *checks = document ? TL_NEW(&arena, tl_document_checks) : NULL;
    if (!checks) {
        tl_arena_free(&arena);
        tl_fail_memory(err);
        return NULL;
    }
    if (!document_take_opts(document, &own, err)) {
        tl_arena_free(&arena);
        return NULL;
    }
    document->checks = checks;
    document->arena = arena;
    return document;
}

/* A file of no known format: what it may be, and what to do. */
static const char *document_unknown(trilo_bytes bytes, const char *name)
{
    const char *foreign = tl_foreign_file(bytes, name);
    if (bytes.size == 0)
        return "the file is empty; export or copy it again";
    if (foreign)
        return foreign;
    if (tl_foreign_is_text(bytes))
        return "the file is text, not a model; \"trilobite formats\" lists what is read";
    if (name && trilo_format_for_path(name))
        return "the file does not start as its name says, nor like any other format that Trilobite reads: it is "
               "damaged or something else; export or copy it again";
    return "the file does not start like any format that Trilobite reads; \"trilobite formats\" lists them";
}

static bool document_is_misnamed(const trilo_document *document, const char *name)
{
    const trilo_format_info *named = name ? trilo_format_for_path(name) : NULL;
    if (!name || document->imported_from.name[0] != '\0')
        return false;
    return named ? named->format != document->format->info.format : trilo_import_for_path(name);
}

static bool document_parse(trilo_document *document, trilo_error *err)
{
    const uint64_t most = tl_document_max_size(document);
    if (document->source.size > most)
        return tl_fail(err, TRILO_CODE_LIMIT, &tl_general_rules[TL_FILE_LIMIT], TRILO_NOWHERE, NULL,
                       "the input is larger than the limit");
    document->plain = document->source;
    if (tl_dca_probe(document->plain) &&
        !tl_dca_decompress(&document->arena, document->source, most, &document->plain, &document->compression, err))
        return false;
    const trilo_format wanted = document->opts.format;
    const char *name = document->opts.name;
    tl_companion_attach(document);
    tl_import_format import;
    if (wanted == TRILO_FORMAT_UNKNOWN && !tl_registry_probe(document->plain) && document->plain.size > 0 &&
        !(name && trilo_format_for_path(name)) && !tl_foreign_to_assimp(document->plain) &&
        tl_import_reads(document->plain, name, &import)) {
        document->imported_from = import;
        if (!tl_document_import(document, err))
            return false;
    }
    const trilo_bytes bytes = document->plain;
    document->format = wanted ? tl_registry_get(wanted) : tl_registry_probe(bytes);
    /* Broken JSON may begin like anything. A file that is called .gltf is read as one, so that the error says what is
     * wrong with its text, unless it is known to be something else. */
    const trilo_format_info *named = name ? trilo_format_for_path(name) : NULL;
    if (!document->format && bytes.size > 0 && named && named->format == TRILO_FORMAT_GLTF &&
        !tl_foreign_file(bytes, NULL))
        document->format = tl_registry_get(TRILO_FORMAT_GLTF);
    if (!document->format)
        return tl_fail(err, TRILO_CODE_BAD_VALUE, &tl_general_rules[TL_FILE_UNKNOWN], 0, NULL, "%s",
                       document_unknown(bytes, name));
    document->misnamed = document_is_misnamed(document, name);
    document->file = document->format->read(&document->arena, bytes, &document->opts, err);
    if (document->file && document->companions.failure.code != TRILO_CODE_OK) {
        if (err)
            *err = document->companions.failure;
        return false;
    }
    return document->file && tl_materials_open(document, err) && (!document->arena.failed || tl_fail_memory(err));
}

/* The document when it parses; otherwise it is closed. */
static trilo_document *document_finish(trilo_document *document, trilo_error *err)
{
    if (document_parse(document, err))
        return document;
    trilo_document_free(document);
    return NULL;
}

trilo_document *trilo_document_open(const void *bytes, size_t size, const trilo_load_opts *opts, trilo_error *err)
{
    trilo_document *document = document_new(opts, err);
    if (!document)
        return NULL;
    document->source = (trilo_bytes){bytes, size};
    return document_finish(document, err);
}

trilo_document *trilo_document_open_file(const char *path, const trilo_load_opts *opts, trilo_error *err)
{
    trilo_document *document = document_new(opts, err);
    if (!document)
        return NULL;
    tl_companion_beside(document, path);
    if (!tl_file_read(path, tl_document_max_size(document), &document->arena, &document->source, err)) {
        trilo_document_free(document);
        return NULL;
    }
    return document_finish(document, err);
}

trilo_document *trilo_document_open_stream(trilo_read_fn *read, void *user, const trilo_load_opts *opts,
                                           trilo_error *err)
{
    trilo_document *document = document_new(opts, err);
    if (!document)
        return NULL;
    if (!tl_read_stream(read, user, tl_document_max_size(document), &document->arena, &document->source, err)) {
        trilo_document_free(document);
        return NULL;
    }
    return document_finish(document, err);
}

void trilo_document_free(trilo_document *document)
{
    if (!document)
        return;
    tl_check_record_free(atomic_load(&document->checks->record));
    tl_arena_free(&document->arena);
}

trilo_format trilo_document_format(const trilo_document *document)
{
    return document->format->info.format;
}

uint32_t trilo_document_version(const trilo_document *document)
{
    return document->format->version(document->file);
}

trilo_bytes trilo_document_bytes(const trilo_document *document)
{
    return document->plain;
}

const char *trilo_document_materials(const trilo_document *document, bool *found)
{
    *found = document->materials != NULL;
    return document->materials_name;
}

trilo_compression trilo_document_compression(const trilo_document *document)
{
    const tl_dca_info *info = &document->compression;
    return (trilo_compression){(uint32_t)info->version, (uint32_t)info->level, tl_dca_level_name(info->level),
                               document->source.size, document->plain.size};
}

const trilo_model *tl_document_decode(const trilo_document *document, tl_report *report, trilo_error *err)
{
    tl_owned_model *owned = tl_owned_model_new(&document->opts.memory);
    if (!owned) {
        tl_fail_memory(err);
        return NULL;
    }
    owned->model.format = document->format->info.format;
    owned->model.version = trilo_document_version(document);
    if (!document->format->decode(document->file, &owned->arena, &owned->model, err) ||
        !tl_materials_apply(document, &owned->arena, &owned->model, report, err) ||
        (owned->arena.failed && !tl_fail_memory(err))) {
        trilo_model_free(&owned->model);
        return NULL;
    }
    tl_model_fill_extras(&owned->model);
    return tl_owned_model_finish(owned);
}

/* After a check for errors only, decoding may find one more; then the complete check reports it. */
const trilo_model *tl_document_model(const trilo_document *document, trilo_finding_fn *fn, void *user, trilo_error *err)
{
    trilo_error own = {0};
    if (!tl_document_may_decode(document, fn, user, err))
        return NULL;
    const trilo_model *model = tl_document_decode(document, NULL, &own);
    if (!model && err)
        *err = own;
    if (!model && own.code == TRILO_CODE_BAD_VALUE)
        tl_document_has_no_error(document, err);
    return model;
}

const trilo_model *trilo_document_model(const trilo_document *document, trilo_error *err)
{
    return tl_document_model(document, document->opts.on_finding, document->opts.on_finding_user, err);
}

size_t trilo_document_sections(const trilo_document *document, trilo_section *sections, size_t room)
{
    return document->format->sections(document->file, sections, room);
}

void trilo_document_visit(const trilo_document *document, const trilo_visitor *visitor)
{
    document->format->visit(document->file, visitor);
}
