#include "convert/nlm_hash.h"

#include "alloc.h"
#include "output.h"
#include "read_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static char *hash_path(const char *model_path)
{
    char *path = need(NULL, strlen(model_path) + sizeof ".hash", 1);
    return strcat(strcpy(path, model_path), ".hash");
}

/* Decimal digits and nothing else, but for blanks at the end. */
static uint32_t parse(const uint8_t *text, size_t size)
{
    uint64_t value = 0;
    while (size > 0 && strchr(" \r\n", text[size - 1]))
        size--;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return 0;
        value = 10 * value + (uint64_t)(text[i] - '0');
        if (value > UINT32_MAX)
            return 0;
    }
    return (uint32_t)value;
}

uint32_t nlm_hash_read(const char *model_path)
{
    size_t size;
    char *path = hash_path(model_path);
    uint8_t *text = slurp(path, &size);
    const uint32_t hash = text ? parse(text, size) : 0;
    free(text);
    free(path);
    return hash;
}

char *nlm_hash_write(const char *model_path, uint32_t hash, trilo_error *err)
{
    char digits[16];
    char *path = hash_path(model_path);
    const int len = snprintf(digits, sizeof digits, "%" PRIu32, hash);
    memset(err, 0, sizeof *err);
    output_bytes(path, (trilo_bytes){(const uint8_t *)digits, (size_t)len}, err);
    return path;
}
