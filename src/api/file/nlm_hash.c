#include "api/file/nlm_hash.h"

#include "api/document.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NLM_HASH_NAME = 1024 };

/* Decimal digits only, then optional blanks. */
static uint32_t nlm_hash_parse(trilo_bytes text)
{
    uint64_t value = 0;
    while (text.size > 0 && text.data[text.size - 1] && strchr(" \r\n", text.data[text.size - 1]))
        text.size--;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return 0;
        value = 10 * value + (uint64_t)(text.data[i] - '0');
        if (value > UINT32_MAX)
            return 0;
    }
    return (uint32_t)value;
}

uint32_t tl_nlm_hash_find(const trilo_document *document)
{
    char name[NLM_HASH_NAME];
    trilo_bytes text = {NULL, 0};
    trilo_error err;
    tl_arena arena;
    const int length = document->opts.name ? snprintf(name, sizeof name, "%s.hash", document->opts.name) : 0;
    if (length <= 0 || (size_t)length >= sizeof name)
        return 0;
    tl_arena_init(&arena, &document->opts.memory);
    const uint32_t hash = tl_companion_read(document, name, &arena, &text, &err) ? nlm_hash_parse(text) : 0;
    tl_arena_free(&arena);
    return hash;
}

bool tl_nlm_hash_add(const char *name, uint32_t hash, trilo_companion_write_fn *keep, void *user)
{
    char full[NLM_HASH_NAME], digits[16];
    const int length = snprintf(full, sizeof full, "%s.hash", name);
    const int count = snprintf(digits, sizeof digits, "%" PRIu32, hash ? hash : trilo_fnv1a("", 0));
    return length > 0 && (size_t)length < sizeof full &&
           keep(user, full, (trilo_bytes){(const uint8_t *)digits, (size_t)count});
}
