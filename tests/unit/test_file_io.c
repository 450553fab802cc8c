#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* folders of large disks are listed on 32-bit machines too */
#endif
#define _POSIX_C_SOURCE 200809L

#include "api/file/io.h"
#include "base/bytes.h"
#include "base/os.h"
#include "harness.h"
#include "trilobite/document.h"
#include "trilobite/file.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- a folder for each test ---- */

static char folder[200], path_text[512];

static void folder_make(void)
{
    snprintf(folder, sizeof folder, "%s", test_folder());
}

static const char *in_folder(const char *name)
{
    snprintf(path_text, sizeof path_text, "%s/%s", folder, name);
    return path_text;
}

static void make_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(in_folder(name), "wb");
    CHECK(file != NULL);
    size_t wrote = fwrite(bytes, 1, size, file);
    CHECK(fclose(file) == 0 && wrote == size);
}

static void check_file(const char *name, const void *want, size_t want_size)
{
    size_t size = 0;
    uint8_t *bytes = test_read_file(in_folder(name), &size);
    CHECK(bytes != NULL);
    bool same = size == want_size && memcmp(bytes, want, size) == 0;
    free(bytes);
    CHECK_INT(size, want_size);
    CHECK(same);
}

static size_t files_in_folder(void)
{
    DIR *dir = opendir(folder);
    CHECK(dir != NULL);
    size_t count = 0;
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 ? 1 : 0;
    closedir(dir);
    return count;
}

/* Whatever a test left in it goes too. */
static void folder_remove(void)
{
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            remove(in_folder(entry->d_name));
    closedir(dir);
    CHECK(rmdir(folder) == 0);
}

/* ---- replacing a file ---- */

typedef struct filling {
    const char *text;
    int pieces, calls;
    bool fail, ignore_refusal;
} filling;

static bool fill(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    filling *f = context;
    f->calls++;
    for (int i = 0; i < f->pieces; i++)
        if (!sink(sink_user, f->text, strlen(f->text)) && !f->ignore_refusal) {
            *err = (trilo_error){.code = TRILO_CODE_CANT_WRITE, .rule = "TEST-SINK", .offset = TRILO_NOWHERE};
            return false;
        }
    if (f->fail)
        *err = (trilo_error){.code = TRILO_CODE_LIMIT, .rule = "TEST-FILL", .offset = 5};
    return !f->fail;
}

/* Prints while it fills, as a program with something to report does. */
static bool fill_and_print(void *context, trilo_write_fn *sink, void *sink_user, trilo_error *err)
{
    for (int i = 0; i < 3; i++)
        (void)!write(i, "message", 7);
    return fill(context, sink, sink_user, err);
}

TEST(a_new_file_appears)
{
    folder_make();
    trilo_error err = {0};
    filling f = {.text = "abc", .pieces = 3};
    CHECK(trilo_file_replace(in_folder("new"), NULL, fill, &f, &err));
    CHECK_INT(f.calls, 1);
    CHECK_INT(err.code, TRILO_CODE_OK);
    check_file("new", "abcabcabc", 9);
    CHECK_INT(files_in_folder(), 1);
    f = (filling){.text = "", .pieces = 1};
    CHECK(trilo_file_replace(in_folder("empty"), NULL, fill, &f, NULL));
    check_file("empty", "", 0);
    CHECK_INT(files_in_folder(), 2);
    folder_remove();
}

TEST(an_old_file_is_replaced)
{
    folder_make();
    make_file("old", "something longer than what comes", 32);
    filling f = {.text = "new", .pieces = 1};
    CHECK(trilo_file_replace(in_folder("old"), NULL, fill, &f, NULL));
    check_file("old", "new", 3);
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

/* The file that a link names is replaced, not the link. */
TEST(a_link_is_followed)
{
    folder_make();
    make_file("target", "old", 3);
    CHECK(symlink("target", in_folder("link")) == 0);
    filling f = {.text = "new", .pieces = 1};
    CHECK(trilo_file_replace(in_folder("link"), NULL, fill, &f, NULL));
    check_file("target", "new", 3);
    struct stat status;
    CHECK(lstat(in_folder("link"), &status) == 0 && S_ISLNK(status.st_mode));
    CHECK_INT(files_in_folder(), 2);
    folder_remove();
}

TEST(an_old_file_keeps_its_rights)
{
    folder_make();
    make_file("mine", "old", 3);
    CHECK(chmod(in_folder("mine"), 0640) == 0);
    filling f = {.text = "new", .pieces = 1};
    CHECK(trilo_file_replace(in_folder("mine"), NULL, fill, &f, NULL));
    struct stat status;
    CHECK(stat(in_folder("mine"), &status) == 0);
    CHECK_INT(status.st_mode & 07777, 0640);
    folder_remove();
}

/* A pipe stays a pipe: it is written to. */
TEST(a_pipe_is_written_to)
{
    folder_make();
    CHECK(mkfifo(in_folder("pipe"), 0600) == 0);
    pid_t reader = fork();
    CHECK(reader >= 0);
    if (reader == 0) {
        char got[4] = {0};
        FILE *pipe = fopen(in_folder("pipe"), "rb");
        _exit(!pipe || fread(got, 1, 3, pipe) != 3 || memcmp(got, "new", 3) != 0);
    }
    filling f = {.text = "new", .pieces = 1};
    alarm(30);
    CHECK(trilo_file_replace(in_folder("pipe"), NULL, fill, &f, NULL));
    alarm(0);
    int status = 1;
    CHECK(waitpid(reader, &status, 0) == reader);
    CHECK_INT(status, 0);
    struct stat kind;
    CHECK(stat(in_folder("pipe"), &kind) == 0 && S_ISFIFO(kind.st_mode));
    folder_remove();
}

/* Many times the buffer of stdio. */
TEST(a_large_file_is_whole)
{
    folder_make();
    filling f = {.text = "0123456789abcdef", .pieces = 20000};
    CHECK(trilo_file_replace(in_folder("large"), NULL, fill, &f, NULL));
    size_t size = 0;
    uint8_t *bytes = test_read_file(in_folder("large"), &size);
    bool good = size == 320000;
    for (size_t i = 0; good && i < size; i++)
        good = bytes[i] == (uint8_t) "0123456789abcdef"[i % 16];
    free(bytes);
    CHECK_INT(size, 320000);
    CHECK(good);
    folder_remove();
}

/* What has the name that the temporary file would like to have is somebody's. */
TEST(neighbours_are_left_alone)
{
    folder_make();
    make_file("a.tmp000", "mine", 4);
    make_file("a.tmp", "mine too", 8);
    for (int i = 0; i < 2; i++) {
        filling f = {.text = "new", .pieces = 1, .fail = i == 1};
        trilo_error err;
        CHECK_INT(trilo_file_replace(in_folder("a"), NULL, fill, &f, &err), i == 0);
        check_file("a", "new", 3);
        check_file("a.tmp000", "mine", 4);
        check_file("a.tmp", "mine too", 8);
        CHECK_INT(files_in_folder(), 3);
    }
    folder_remove();
}

/* Readable by whom the user's mask allows, not only by its owner as temporary files are. */
TEST(a_new_file_has_the_usual_rights)
{
    static const mode_t masks[] = {022, 027, 0};
    const mode_t before = umask(0);
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        folder_make();
        filling f = {.text = "x", .pieces = 1};
        struct stat status;
        umask(masks[i]);
        bool made = trilo_file_replace(in_folder("new"), NULL, fill, &f, NULL);
        const mode_t after = umask(before);
        CHECK(made);
        CHECK_INT(after, masks[i]); /* it is the process's own: it must be as it was */
        CHECK(stat(in_folder("new"), &status) == 0);
        CHECK_INT(status.st_mode & 0777, 0666 & ~masks[i]);
        folder_remove();
    }
    umask(before);
}

/* A failure leaves what was there, with the fill's own error, and nothing beside it. */
TEST(a_failed_fill_changes_nothing)
{
    folder_make();
    make_file("old", "precious", 8);
    trilo_error err = {0};
    filling f = {.text = "half", .pieces = 5000, .fail = true};
    CHECK(!trilo_file_replace(in_folder("old"), NULL, fill, &f, &err));
    CHECK_INT(f.calls, 1);
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "TEST-FILL");
    CHECK_INT(err.offset, 5);
    check_file("old", "precious", 8);
    CHECK_INT(files_in_folder(), 1);
    CHECK(!trilo_file_replace(in_folder("new"), NULL, fill, &f, &err));
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

static void check_cant_write(const char *path)
{
    trilo_error err = {0};
    filling f = {.text = "x", .pieces = 1};
    CHECK(!trilo_file_replace(path, NULL, fill, &f, &err));
    CHECK_INT(f.calls, 0); /* not even begun */
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    CHECK_STR(err.rule, "FILE-WRITE");
    CHECK(strncmp(err.text, "cannot be written: ", 19) == 0);
    CHECK(!trilo_file_replace(path, NULL, fill, &f, NULL));
}

TEST(folders_that_cannot_be_written)
{
    folder_make();
    make_file("file", "", 0);
    check_cant_write(in_folder("missing/new"));
    check_cant_write(in_folder("file/new"));
    if (access("/proc/self", F_OK) == 0)
        check_cant_write("/proc/trilobite-test"); /* nobody may, not even root */
    if (geteuid() != 0) {
        CHECK(chmod(folder, 0555) == 0);
        check_cant_write(in_folder("new"));
        CHECK(chmod(folder, 0755) == 0);
    }
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

TEST(no_path_at_all)
{
    trilo_error err = {0};
    filling f = {.text = "x", .pieces = 1};
    CHECK(!trilo_file_replace("", NULL, fill, &f, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
}

/* Written whole, but it cannot take the place of a folder. */
TEST(a_folder_is_not_replaced)
{
    folder_make();
    CHECK(mkdir(in_folder("taken"), 0755) == 0);
    trilo_error err = {0};
    filling f = {.text = "x", .pieces = 1};
    CHECK(!trilo_file_replace(in_folder("taken"), NULL, fill, &f, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
    CHECK_STR(err.rule, "FILE-WRITE");
    CHECK_INT(files_in_folder(), 1);
    folder_remove();
}

TEST(only_empty_folders_are_removed)
{
    folder_make();
    CHECK(mkdir(in_folder("empty"), 0755) == 0 && mkdir(in_folder("full"), 0755) == 0);
    make_file("full/file", "", 0);
    CHECK(tl_os_remove_folder(in_folder("empty")) && access(in_folder("empty"), F_OK) != 0);
    CHECK(!tl_os_remove_folder(in_folder("full")) && access(in_folder("full/file"), F_OK) == 0);
    CHECK(!tl_os_remove_folder(in_folder("none")));
    CHECK(unlink(in_folder("full/file")) == 0 && rmdir(in_folder("full")) == 0);
    folder_remove();
}

/* The disk is full: here, a limit on the size of files. A fill that looks at the sink notices; one that does not, or
 * whose bytes were still in a buffer, must not make a short file look finished. */
static bool fill_with_limit(filling *f, trilo_error *err)
{
    struct rlimit before, small;
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    small = before;
    small.rlim_cur = 1000;
    void (*old)(int) = signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    bool ok = trilo_file_replace(in_folder("old"), NULL, fill, f, err);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    signal(SIGXFSZ, old);
    return ok;
}

TEST(a_full_disk)
{
    static const filling fillings[] = {
        {.text = "0123456789", .pieces = 101}, /* 1010 bytes: refused when the buffer is flushed */
        {.text = "0123456789", .pieces = 100000},
        {.text = "0123456789", .pieces = 100000, .ignore_refusal = true},
    };
    for (size_t i = 0; i < sizeof fillings / sizeof fillings[0]; i++) {
        folder_make();
        make_file("old", "precious", 8);
        filling f = fillings[i];
        trilo_error err = {0};
        CHECK(!fill_with_limit(&f, &err));
        CHECK_INT(err.code, TRILO_CODE_CANT_WRITE);
        check_file("old", "precious", 8);
        CHECK_INT(files_in_folder(), 1);
        folder_remove();
    }
    folder_make();
    filling fits = {.text = "0123456789", .pieces = 100};
    CHECK(fill_with_limit(&fits, NULL));
    folder_remove();
}

/* ---- a tiny NLM file ---- */

enum { NLM_SIZE = 16 + 24 + 4 + 8 + 3 * 76 + 3 * 4 + 4 };

static void put_floats(uint8_t **at, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++, *at += 4)
        tl_put_u32(*at, TL_LITTLE, tl_bits_of(values[i]));
}

static void put_words(uint8_t **at, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++, *at += 4)
        tl_put_u32(*at, TL_LITTLE, words[i]);
}

/* One white triangle in the x-y plane, without texture and animation. */
static void make_nlm(uint8_t out[NLM_SIZE])
{
    static const float corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const float look[8] = {1, 1, 1, 0, 0, 1, 0, 0}; /* colour, normal, uv */
    static const float weights[4] = {0};
    static const uint32_t no_bones[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint8_t *at = out;
    put_words(&at, (const uint32_t[]){2166136261u, 0x4D4F444Cu, 2, 0}, 4);
    put_floats(&at, (const float[]){0, 0, 0, 1, 1, 0}, 6);
    put_words(&at, (const uint32_t[]){1, 3, 3}, 3);
    for (int i = 0; i < 3; i++) {
        put_floats(&at, corners[i], 3);
        put_floats(&at, look, 8);
        put_words(&at, no_bones, 4);
        put_floats(&at, weights, 4);
    }
    put_words(&at, (const uint32_t[]){0, 1, 2, 0}, 4);
}

static void check_triangle(const trilo_model *model)
{
    CHECK(model != NULL);
    CHECK_INT(model->format, TRILO_FORMAT_NLM);
    CHECK_INT(model->version, 2);
    CHECK_INT(model->source_hash, 2166136261u);
    CHECK_INT(model->mesh_count, 1);
    CHECK_INT(model->meshes[0].vertex_count, 3);
    CHECK(model->meshes[0].positions[1][0] == 1 && model->meshes[0].positions[2][1] == 1);
    CHECK_INT(model->meshes[0].indices[2], 2);
    trilo_model_free(model);
}

/* ---- opening a file ---- */

TEST(a_file_is_opened_and_loaded)
{
    folder_make();
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    make_file("a.nlm", nlm, sizeof nlm);
    trilo_error err = {0};
    trilo_document *document = trilo_document_open_file(in_folder("a.nlm"), NULL, &err);
    CHECK(document != NULL);
    CHECK_INT(trilo_document_format(document), TRILO_FORMAT_NLM);
    trilo_bytes bytes = trilo_document_bytes(document);
    CHECK_INT(bytes.size, sizeof nlm);
    CHECK(memcmp(bytes.data, nlm, sizeof nlm) == 0);
    check_triangle(trilo_document_model(document, &err));
    trilo_document_free(document);
    check_triangle(trilo_model_load_file(in_folder("a.nlm"), NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_OK);
    folder_remove();
}

static void check_open_fails(const char *path, const trilo_load_opts *opts, trilo_code code, const char *rule,
                             const char *text)
{
    trilo_error err = {0};
    CHECK(trilo_document_open_file(path, opts, &err) == NULL);
    CHECK_INT(err.code, code);
    CHECK_STR(err.rule, rule);
    CHECK_STR(err.text, text);
    CHECK(trilo_document_open_file(path, opts, NULL) == NULL);
    CHECK(trilo_model_load_file(path, opts, NULL) == NULL);
}

TEST(files_that_cannot_be_opened)
{
    folder_make();
    make_file("empty", "", 0);
    make_file("other", "GIF89a", 6);
    check_open_fails(in_folder("missing"), NULL, TRILO_CODE_CANT_READ, "FILE-READ",
                     "cannot be read: No such file or directory");
    check_open_fails(folder, NULL, TRILO_CODE_CANT_READ, "FILE-READ",
                     "cannot be read: it is a folder; name the files in it");
    check_open_fails(in_folder("empty"), NULL, TRILO_CODE_BAD_VALUE, "FILE-UNKNOWN",
                     "the file is empty; export or copy it again");
    check_open_fails(in_folder("other"), NULL, TRILO_CODE_BAD_VALUE, "FILE-UNKNOWN",
                     "the file does not start like any format that Trilobite reads; \"trilobite formats\" lists them");
    if (geteuid() != 0) {
        CHECK(chmod(in_folder("other"), 0) == 0);
        check_open_fails(in_folder("other"), NULL, TRILO_CODE_CANT_READ, "FILE-READ",
                         "cannot be read: Permission denied");
    }
    folder_remove();
}

/* 296 bytes: a limit of 296 is enough, one of 295 is not. */
TEST(a_file_may_be_as_large_as_the_limit)
{
    folder_make();
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    make_file("a.nlm", nlm, sizeof nlm);
    trilo_load_opts opts = {.limits.file_size = 296};
    check_triangle(trilo_model_load_file(in_folder("a.nlm"), &opts, NULL));
    check_triangle(trilo_model_load(nlm, sizeof nlm, &opts, NULL));
    opts.limits.file_size = 295;
    check_open_fails(in_folder("a.nlm"), &opts, TRILO_CODE_LIMIT, "FILE-LIMIT", "296 bytes or more, the limit is 295");
    trilo_error err = {0};
    CHECK(trilo_model_load(nlm, sizeof nlm, &opts, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    CHECK_STR(err.rule, "FILE-LIMIT");
    folder_remove();
}

TEST(no_memory_for_a_file)
{
    folder_make();
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    make_file("a.nlm", nlm, sizeof nlm);
    trilo_error err = {0};
    CHECK(trilo_document_open_file(in_folder("a.nlm"), &(trilo_load_opts){.memory.max_bytes = 16}, &err) == NULL);
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    CHECK_STR(err.rule, "FILE-MEMORY");
    folder_remove();
}

TEST(rubbish_in_the_options)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    for (int i = 0; i < 2; i++) {
        const trilo_load_opts opts = {.struct_size = i == 0, .guard = i == 1};
        trilo_error err = {0};
        CHECK(trilo_document_open(nlm, sizeof nlm, &opts, &err) == NULL);
        CHECK_INT(err.code, TRILO_CODE_MISUSE);
        CHECK_STR(err.rule, "CALL-MISUSE");
        check_open_fails("/", &opts, TRILO_CODE_MISUSE, "CALL-MISUSE", err.text);
    }
}

TEST(closing_nothing)
{
    trilo_document_free(NULL);
}

/* ---- what cannot be mapped ---- */

/* The writer opens, writes and is gone: whoever opens the pipe twice finds it empty, or waits for ever. */
static void write_pipe_once(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    _exit(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0 ? 0 : 1);
}

TEST(a_pipe_is_read)
{
    folder_make();
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    CHECK(mkfifo(in_folder("pipe"), 0600) == 0);
    for (int i = 0; i < 20; i++) {
        pid_t writer = fork();
        CHECK(writer >= 0);
        if (writer == 0)
            write_pipe_once(in_folder("pipe"), nlm, sizeof nlm);
        alarm(30);
        const trilo_model *model = trilo_model_load_file(in_folder("pipe"), NULL, NULL);
        alarm(0);
        int status = 1;
        CHECK(waitpid(writer, &status, 0) == writer);
        CHECK_INT(status, 0);
        check_triangle(model);
    }
    folder_remove();
}

TEST(a_device_is_read)
{
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    trilo_bytes bytes;
    trilo_error err = {0};
    CHECK(tl_file_read("/dev/null", 1000, &arena, &bytes, &err));
    CHECK_INT(bytes.size, 0);
    CHECK(!tl_file_read("/dev/zero", 100000, &arena, &bytes, &err)); /* it has no end */
    CHECK_INT(err.code, TRILO_CODE_LIMIT);
    tl_arena_free(&arena);
}

/* It opens, but byte 0 of a process's memory cannot be read. */
TEST(a_file_that_fails_when_read)
{
    if (access("/proc/self/mem", R_OK) != 0)
        SKIP("no /proc/self/mem");
    check_open_fails("/proc/self/mem", NULL, TRILO_CODE_CANT_READ, "FILE-READ",
                     "cannot be read: the source reported an error");
}

TEST(a_file_is_read)
{
    folder_make();
    make_file("a", "content", 7);
    tl_arena arena;
    tl_arena_init(&arena, NULL);
    trilo_bytes bytes;
    CHECK(tl_file_read(in_folder("a"), 7, &arena, &bytes, NULL));
    CHECK_INT(bytes.size, 7);
    CHECK(memcmp(bytes.data, "content", 7) == 0);
    CHECK(!tl_file_read(in_folder("a"), 6, &arena, &bytes, NULL));
    tl_arena_free(&arena);
    folder_remove();
}

/* A document whose file is cut off while it is open keeps its bytes. */
TEST(a_file_that_shrinks_harms_nobody)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    folder_make();
    make_file("a.nlm", nlm, sizeof nlm);
    trilo_document *document = trilo_document_open_file(in_folder("a.nlm"), NULL, NULL);
    CHECK(document != NULL);
    CHECK(truncate(in_folder("a.nlm"), 0) == 0);
    const trilo_bytes bytes = trilo_document_bytes(document);
    CHECK(bytes.size == sizeof nlm && memcmp(bytes.data, nlm, bytes.size) == 0);
    trilo_document_free(document);
    folder_remove();
}

/* ---- names that are not trusted ---- */

static void check_below(const char *name, const char *want)
{
    tl_arena arena;
    trilo_bytes bytes = {NULL, 0};
    trilo_error err = {0};
    tl_arena_init(&arena, NULL);
    char root[sizeof folder + 8];
    snprintf(root, sizeof root, "%s/in", folder);
    alarm(30);
    const bool read = tl_file_read_below(root, name, 1000, &arena, &bytes, &err);
    CHECK_INT(tl_file_is_below(root, name), want != NULL);
    alarm(0);
    CHECK_INT(read, want != NULL);
    CHECK_INT(err.code, want ? TRILO_CODE_OK : TRILO_CODE_BAD_REF);
    CHECK(!want || (bytes.size == strlen(want) && memcmp(bytes.data, want, bytes.size) == 0));
    tl_arena_free(&arena);
}

TEST(a_name_leads_nowhere_but_below_its_folder)
{
    char absolute[sizeof folder + 16], whole[sizeof folder + 16];
    folder_make();
    make_file("out", "secret", 6);
    CHECK(mkdir(in_folder("in"), 0755) == 0 && mkdir(in_folder("in/sub"), 0755) == 0);
    make_file("in/a", "first", 5);
    make_file("in/sub/b", "second", 6);
    CHECK(symlink("../out", in_folder("in/link")) == 0);
    CHECK(symlink("a", in_folder("in/near")) == 0);
    CHECK(symlink("..", in_folder("in/up")) == 0);
    CHECK(mkfifo(in_folder("in/pipe"), 0644) == 0);
    snprintf(absolute, sizeof absolute, "%s/out", folder);
    snprintf(whole, sizeof whole, "%s/in/a", folder);
    check_below("a", "first");
    check_below("./a", "first");
    check_below("sub/b", "second");
    check_below("sub//./b", "second");
    const char *const refused[] = {"",     "sub",    "sub/", ".",    "..",  "../out", "sub/../a", "sub/..",   "link",
                                   "near", "up/out", "pipe", "none", "a/b", absolute, whole,      "/dev/null"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        check_below(refused[i], NULL);
    const char *const made[] = {"in/a", "in/sub/b", "in/link", "in/near", "in/up", "in/pipe"};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        CHECK(remove(in_folder(made[i])) == 0);
    CHECK(rmdir(in_folder("in/sub")) == 0 && rmdir(in_folder("in")) == 0);
    folder_remove();
}

/* By its text alone. */
TEST(names_that_stay_inside)
{
    static const char *const inside[] = {"a", "a/b", ".a", "..a", "a..", "a/.b/c", "...", "a/...", "a b"};
    static const char *const outside[] = {"",       ".",    "..",    "/",    "/a", "../a", "./a",
                                          "a/../b", "a/..", "a/./b", "a//b", "a/", "a/."};
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        CHECK(trilo_file_name_is_inside(inside[i]));
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        CHECK(!trilo_file_name_is_inside(outside[i]));
}

/* A program whose standard streams are closed would print into a file that took the place of one. */
TEST(files_leave_the_standard_streams_alone)
{
    int status = 1;
    folder_make();
    make_file("a", "content", 7);
    const pid_t child = fork();
    if (child == 0) {
        tl_arena arena;
        trilo_bytes bytes;
        filling f = {.text = "new", .pieces = 1};
        tl_arena_init(&arena, NULL);
        for (int i = 0; i < 3; i++)
            close(i);
        bool ok = tl_file_read(in_folder("a"), 100, &arena, &bytes, NULL) && bytes.size == 7;
        ok = trilo_file_replace(in_folder("a"), NULL, fill_and_print, &f, NULL) && ok;
        _exit(ok ? 0 : 1);
    }
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    check_file("a", "new", 3);
    folder_remove();
}

/* ---- streams ---- */

typedef struct source {
    const uint8_t *bytes;
    size_t size, at;
    size_t step;        /* at most so many bytes a call */
    size_t fail_at;     /* answers -1 from that byte on; 0: never */
    ptrdiff_t nonsense; /* what it answers at the end */
    bool no_room;       /* was asked for nothing, which it cannot tell from an end */
} source;

static ptrdiff_t source_read(void *user, void *bytes, size_t room)
{
    source *s = user;
    s->no_room = s->no_room || room == 0;
    if (s->nonsense && s->at == s->size)
        return s->nonsense == 1 ? (ptrdiff_t)(room + 1) : s->nonsense;
    if (s->fail_at && s->at >= s->fail_at)
        return -1;
    size_t count = s->size - s->at;
    count = count < room ? count : room;
    count = count < s->step ? count : s->step;
    if (count > 0)
        memcpy(bytes, s->bytes + s->at, count);
    s->at += count;
    return (ptrdiff_t)count;
}

TEST(a_stream_in_pieces_of_every_size)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    for (size_t step = 1; step <= NLM_SIZE; step += step < 8 ? 1 : 48) {
        source s = {.bytes = nlm, .size = sizeof nlm, .step = step};
        trilo_error err = {0};
        check_triangle(trilo_model_load_stream(source_read, &s, NULL, &err));
        CHECK_INT(err.code, TRILO_CODE_OK);
        CHECK(!s.no_room);
    }
}

/* Lengths around those at which the buffer doubles. */
TEST(a_stream_larger_than_the_buffer)
{
    static uint8_t large[70000];
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i * 31 + i / 256);
    static const size_t sizes[] = {0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 65536, 70000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t step = 1000; step < 200000; step *= 7) {
            source s = {.bytes = large, .size = sizes[i], .step = step};
            tl_arena arena;
            tl_arena_init(&arena, NULL);
            trilo_bytes bytes = {NULL, 77};
            CHECK(tl_read_stream(source_read, &s, sizes[i], &arena, &bytes, NULL));
            CHECK_INT(bytes.size, sizes[i]);
            CHECK(memcmp(bytes.data, large, sizes[i]) == 0);
            CHECK(!s.no_room);
            tl_arena_free(&arena);
        }
}

/* The first buffer fits the limit, a later one does not. */
TEST(a_stream_that_outgrows_its_memory)
{
    static uint8_t large[70000];
    for (size_t limit = 4000; limit < 60000; limit += 4000) {
        source s = {.bytes = large, .size = sizeof large, .step = 5000};
        tl_arena arena;
        tl_arena_init(&arena, &(trilo_memory){.max_bytes = limit});
        trilo_bytes bytes;
        trilo_error err = {0};
        CHECK(!tl_read_stream(source_read, &s, sizeof large, &arena, &bytes, &err));
        CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
        tl_arena_free(&arena);
    }
}

static void check_stream_fails(source s, const trilo_load_opts *opts, trilo_code code, const char *rule)
{
    const source fresh = s;
    trilo_error err = {0};
    CHECK(trilo_model_load_stream(source_read, &s, opts, &err) == NULL);
    CHECK_INT(err.code, code);
    CHECK_STR(err.rule, rule);
    CHECK(strlen(err.text) > 0);
    s = fresh;
    CHECK(trilo_document_open_stream(source_read, &s, opts, NULL) == NULL);
}

TEST(a_stream_that_fails)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    check_stream_fails((source){.bytes = nlm, .size = sizeof nlm, .step = 10, .fail_at = 150}, NULL,
                       TRILO_CODE_CANT_READ, "FILE-READ");
    check_stream_fails((source){.bytes = nlm, .size = sizeof nlm, .step = 1000, .fail_at = sizeof nlm}, NULL,
                       TRILO_CODE_CANT_READ, "FILE-READ"); /* where the end should be */
}

TEST(a_stream_that_answers_nonsense)
{
    static const uint8_t nlm[20] = {0};
    static const ptrdiff_t answers[] = {1, -1, PTRDIFF_MAX, PTRDIFF_MIN}; /* 1: one more than there was room for */
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        for (size_t before = 0; before < 20; before += 10) /* at once, or after some good bytes */
            check_stream_fails((source){.bytes = nlm, .size = before, .step = 10, .nonsense = answers[i]}, NULL,
                               TRILO_CODE_CANT_READ, "FILE-READ");
}

TEST(a_stream_that_is_too_large)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    source s = {.bytes = nlm, .size = sizeof nlm, .step = 7};
    check_stream_fails(s, &(trilo_load_opts){.limits.file_size = 295}, TRILO_CODE_LIMIT, "FILE-LIMIT");
    check_triangle(trilo_model_load_stream(source_read, &s, &(trilo_load_opts){.limits.file_size = 296}, NULL));
    s.at = 0;
    check_stream_fails(s, &(trilo_load_opts){.memory.max_bytes = 4000}, TRILO_CODE_NO_MEMORY, "FILE-MEMORY");
    check_stream_fails(s, &(trilo_load_opts){.guard = 1}, TRILO_CODE_MISUSE, "CALL-MISUSE");
}

TEST(a_stream_that_is_empty_or_short)
{
    uint8_t nlm[NLM_SIZE];
    make_nlm(nlm);
    check_stream_fails((source){.bytes = nlm, .size = 0, .step = 1}, NULL, TRILO_CODE_BAD_VALUE, "FILE-UNKNOWN");
    check_stream_fails((source){.bytes = nlm, .size = NLM_SIZE - 1, .step = 100}, NULL, TRILO_CODE_TRUNCATED,
                       "NLM-TRUNCATED");
}

/* ---- reading any file ---- */

TEST(any_file_is_read)
{
    folder_make();
    make_file("any", "abcde", 5);
    trilo_error err = {0};
    const trilo_file *file = trilo_file_read(in_folder("any"), NULL, &err);
    CHECK(file && file->bytes.size == 5 && memcmp(file->bytes.data, "abcde", 5) == 0);
    trilo_file_free(file);
    CHECK(!trilo_file_read(in_folder("missing"), NULL, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_READ);
    CHECK_STR(err.rule, "FILE-READ");
    CHECK(!trilo_file_read(folder, NULL, NULL));
    CHECK(!trilo_file_read(in_folder("any"), &(trilo_file_opts){.guard = 1}, &err));
    CHECK_INT(err.code, TRILO_CODE_MISUSE);
    CHECK(!trilo_file_read(in_folder("any"), &(trilo_file_opts){.memory.max_bytes = 16}, &err));
    CHECK_INT(err.code, TRILO_CODE_NO_MEMORY);
    CHECK(!trilo_file_read("../any", &(trilo_file_opts){.below = folder}, &err));
    CHECK_INT(err.code, TRILO_CODE_CANT_READ);
    trilo_file_free(NULL);
    folder_remove();
}

TEST_MAIN(CASE(any_file_is_read), CASE(a_new_file_appears), CASE(an_old_file_is_replaced), CASE(a_link_is_followed),
          CASE(an_old_file_keeps_its_rights), CASE(a_pipe_is_written_to), CASE(a_large_file_is_whole),
          CASE(neighbours_are_left_alone), CASE(a_new_file_has_the_usual_rights), CASE(a_failed_fill_changes_nothing),
          CASE(folders_that_cannot_be_written), CASE(no_path_at_all), CASE(a_folder_is_not_replaced),
          CASE(only_empty_folders_are_removed), CASE(a_full_disk), CASE(a_file_is_opened_and_loaded),
          CASE(files_that_cannot_be_opened), CASE(a_file_may_be_as_large_as_the_limit), CASE(no_memory_for_a_file),
          CASE(rubbish_in_the_options), CASE(closing_nothing), CASE(a_pipe_is_read), CASE(a_device_is_read),
          CASE(a_file_that_fails_when_read), CASE(a_file_is_read), CASE(a_file_that_shrinks_harms_nobody),
          CASE(a_name_leads_nowhere_but_below_its_folder), CASE(names_that_stay_inside),
          CASE(files_leave_the_standard_streams_alone), CASE(a_stream_in_pieces_of_every_size),
          CASE(a_stream_larger_than_the_buffer), CASE(a_stream_that_outgrows_its_memory), CASE(a_stream_that_fails),
          CASE(a_stream_that_answers_nonsense), CASE(a_stream_that_is_too_large), CASE(a_stream_that_is_empty_or_short))
