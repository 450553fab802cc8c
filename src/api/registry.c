/* A new format is one more row here. */
#include "api/registry.h"

#include "container/dca.h"
#include "container/rom.h"
#include "formats/gltf/gltf.h"
#include "formats/model64/model64.h"
#include "formats/nlm/nlm.h"
#include "formats/t3dm/t3dm.h"
#include "image/image.h"
#include "import/import.h"
#include <string.h>

static const tl_format *const registry_formats[] = {
    &tl_format_t3dm,
    &tl_format_nlm,
    &tl_format_model64,
    &tl_format_gltf,
};

const tl_format *tl_registry_at(size_t index)
{
    return index < TL_COUNT_OF(registry_formats) ? registry_formats[index] : NULL;
}

const tl_format *tl_registry_get(trilo_format format)
{
    for (size_t i = 0; i < TL_COUNT_OF(registry_formats); i++)
        if (registry_formats[i]->info.format == format)
            return registry_formats[i];
    return NULL;
}

const tl_format *tl_registry_probe(trilo_bytes bytes)
{
    for (size_t i = 0; i < TL_COUNT_OF(registry_formats); i++)
        if (registry_formats[i]->probe(bytes))
            return registry_formats[i];
    return NULL;
}

const trilo_format_info *trilo_format_at(size_t index)
{
    return index < TL_COUNT_OF(registry_formats) ? &registry_formats[index]->info : NULL;
}

const trilo_format_info *trilo_format_get(trilo_format format)
{
    const tl_format *found = tl_registry_get(format);
    return found ? &found->info : NULL;
}

const trilo_format_info *trilo_format_find(const char *name)
{
    for (size_t i = 0; i < TL_COUNT_OF(registry_formats); i++)
        if (strcmp(registry_formats[i]->info.name, name) == 0)
            return &registry_formats[i]->info;
    return NULL;
}

static char registry_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* True if `extension` is one of the words of `list`. */
static bool registry_lists_extension(const char *list, const char *extension)
{
    for (size_t start = 0; list[start];) {
        const size_t length = strcspn(list + start, " ");
        size_t same = 0;
        while (same < length && registry_lower(list[start + same]) == registry_lower(extension[same]))
            same++;
        if (same == length && extension[same] == '\0')
            return true;
        start += length + strspn(list + start + length, " ");
    }
    return false;
}

const trilo_format_info *trilo_format_for_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < TL_COUNT_OF(registry_formats); i++)
        if (registry_lists_extension(registry_formats[i]->info.extensions, dot + 1))
            return &registry_formats[i]->info;
    return NULL;
}

const char *trilo_format_extension(trilo_format format)
{
    const tl_format *found = tl_registry_get(format);
    const char *last = found ? strrchr(found->info.extensions, ' ') : NULL;
    return last ? last + 1 : found ? found->info.extensions : "";
}

trilo_format trilo_format_probe(const void *bytes, size_t size)
{
    const tl_format *found = tl_registry_probe((trilo_bytes){bytes, size});
    return found ? found->info.format : TRILO_FORMAT_UNKNOWN;
}

const trilo_rule *trilo_rule_at(size_t index)
{
    if (index < TL_GENERAL_RULE_COUNT)
        return &tl_general_rules[index];
    index -= TL_GENERAL_RULE_COUNT;
    if (index < TL_DCA_RULE_COUNT)
        return &tl_dca_rules[index];
    index -= TL_DCA_RULE_COUNT;
    if (index < TL_IMAGE_RULE_COUNT)
        return &tl_image_rules[index];
    index -= TL_IMAGE_RULE_COUNT;
    if (index < TL_ROM_RULE_COUNT)
        return &tl_rom_rules[index];
    index -= TL_ROM_RULE_COUNT;
    if (index < TL_IMPORT_RULE_COUNT)
        return &tl_import_rules[index];
    index -= TL_IMPORT_RULE_COUNT;
    for (size_t i = 0; i < TL_COUNT_OF(registry_formats); i++) {
        if (index < registry_formats[i]->rule_count)
            return &registry_formats[i]->rules[index];
        index -= registry_formats[i]->rule_count;
    }
    return NULL;
}

/* Codes in scripts and build files must keep working, so a rule that gets a new name keeps its old one here. */
static const trilo_rule_alias rule_aliases[] = {
    {"T3DM-ANIM-DOUBLE", "T3DM-ANIM-DUPLICATE"},
    {"T3DM-LOST-SKEW", "T3DM-LOST-SHEAR"},
    {"T3DM-REPACKED", "T3DM-REOPTIMIZED"},
    {"T3DM-STRETCHED", "T3DM-NONUNIFORM-SCALE"},
    {"NLM-BONE-DOUBLE", "NLM-BONE-DUPLICATE"},
    {"NLM-NODE-DOUBLE", "NLM-NODE-DUPLICATE"},
    {"NLM-TRACK-DOUBLE", "NLM-TRACK-DUPLICATE"},
    {"M64-KEPT", "M64-NOT-REOPTIMIZED"},
    {"M64-LOAD", "M64-VERTEX-LOAD"},
    {"M64-NOT-FOLLOWED", "M64-NOT-EXECUTED"},
    {"M64-REPACKED", "M64-REOPTIMIZED"},
    {"GLTF-LOST-NOTES", "GLTF-LOST-EXTRAS"},
};

const trilo_rule_alias *trilo_rule_alias_at(size_t index)
{
    return index < TL_COUNT_OF(rule_aliases) ? &rule_aliases[index] : NULL;
}

const trilo_rule *trilo_rule_find(const char *name)
{
    const trilo_rule *rule;
    for (size_t i = 0; i < TL_COUNT_OF(rule_aliases); i++)
        if (strcmp(rule_aliases[i].old_name, name) == 0)
            name = rule_aliases[i].name;
    for (size_t i = 0; (rule = trilo_rule_at(i)); i++)
        if (strcmp(rule->name, name) == 0)
            return rule;
    return NULL;
}

const char *trilo_severity_name(trilo_severity severity)
{
    static const char *const names[] = {"note", "warning", "error", "console-crash"};
    return (size_t)severity < TL_COUNT_OF(names) ? names[severity] : "unknown";
}

const char *trilo_finding_kind_name(trilo_finding_kind kind)
{
    static const char *const names[] = {"structure", "loss", "unsupported", "advice", "conformance"};
    return (size_t)kind < TL_COUNT_OF(names) ? names[kind] : "unknown";
}

bool trilo_format_reference(trilo_format format, trilo_write_fn *fn, void *user)
{
    const tl_format *found = tl_registry_get(format);
    tl_sink sink = {.fn = fn, .user = user};
    if (found)
        found->reference(&sink);
    return found && !sink.refused;
}

bool trilo_format_describe(trilo_format format, trilo_description as, trilo_write_fn *fn, void *user)
{
    const tl_format *found = tl_registry_get(format);
    tl_sink sink = {.fn = fn, .user = user};
    if (found && as == TRILO_DESCRIPTION_KSY)
        tl_describe_ksy(found->description, &sink);
    else if (found && as == TRILO_DESCRIPTION_HEXPAT)
        tl_describe_hexpat(found->description, &sink);
    else
        return false;
    return !sink.refused;
}
