#define _XOPEN_SOURCE 700

#include "support/sandbox.h"

#include "harness.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[64], work[80];
static const char *wanted;
static uint64_t sum;
static size_t found;

static void remove_root(void)
{
    test_empty_folder(root);
    rmdir(root);
}

const char *sandbox_path(void)
{
    if (root[0])
        return work;
    snprintf(root, sizeof root, "%s/trilobite-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (!mkdtemp(root))
        return NULL;
    atexit(remove_root);
    snprintf(work, sizeof work, "%s/work", root);
    return mkdir(work, 0777) == 0 ? work : NULL;
}

bool sandbox_clear(void)
{
    DIR *dir = opendir(root);
    size_t beside = 0;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        beside += entry->d_name[0] != '.' && strcmp(entry->d_name, "work") != 0 ? 1 : 0;
    if (dir)
        closedir(dir);
    return dir && beside == 0 && test_empty_folder(work);
}

bool sandbox_write(const char *path, const uint8_t *bytes, size_t size)
{
    char part[128];
    for (const char *c = path; *c && c - path < 127; c++)
        if (*c == '/') {
            snprintf(part, sizeof part, "%.*s", (int)(c - path), path);
            mkdir(part, 0777);
        }
    FILE *file = fopen(path, "wb");
    const bool ok = file && fwrite(bytes, 1, size, file) == size;
    return file && fclose(file) == 0 && ok;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    return hash;
}

static int hash_entry(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)status;
    if (kind != FTW_F)
        return 0;
    char block[4096];
    FILE *file = fopen(path, "rb");
    uint64_t hash = hash_bytes(0xCBF29CE484222325u, path, strlen(path));
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
        hash = hash_bytes(hash, block, got);
    if (file)
        fclose(file);
    sum += hash; /* in any order */
    found += strstr(path + at->base, wanted) ? 1 : 0;
    return 0;
}

uint64_t sandbox_hash(const char *part, size_t *with_part)
{
    sum = found = 0;
    wanted = part;
    nftw(work, hash_entry, 8, FTW_PHYS);
    *with_part = found;
    return sum;
}
