/* The operating system's files, memory, threads and signals, as src/base/os.h says. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE 1

#include "base/os.h"

#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- memory ---- */

/* Under the sanitizer and the emulator, memory is not only the system's. */
#if defined(MADV_POPULATE_WRITE) && !defined(__SANITIZE_ADDRESS__) && !defined(__mips__)
#define OS_POPULATES 1
/* Memory without pages, which the system does not fill with large ones. */
static char *map_pages(size_t count, size_t page)
{
    char *at = mmap(NULL, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(at != MAP_FAILED);
    madvise(at, count * page, MADV_NOHUGEPAGE);
    return at;
}
#endif

/* Whole pages of a range are there afterwards, and no others but those that were. */
TEST(pages_of_a_range_are_populated)
{
#ifndef OS_POPULATES
    SKIP("the system does not populate memory, or does not do it alone");
#else
    enum { PAGES = 530 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const struct {
        size_t start, size, touched, from, to; /* the page `touched` is there before; PAGES: none */
    } cases[] = {{0, 4 * page, PAGES, 0, 4},     {1, 4 * page, PAGES, 1, 4},    {1, 4 * page - 1, PAGES, 1, 4},
                 {1, 4 * page - 2, PAGES, 1, 3}, {page - 1, page, PAGES, 0, 0}, {page - 1, page + 1, PAGES, 1, 2},
                 {page - 1, 0, PAGES, 0, 0},     {5, page - 5, PAGES, 0, 0},    {0, page - 1, PAGES, 0, 0},
                 {0, 3 * page, 0, 0, 3},         {0, 3 * page, 1, 0, 3},        {0, 3 * page, 2, 0, 3},
                 {0, 255 * page, 100, 0, 255},   {0, 256 * page, 0, 0, 256},    {0, 257 * page, 255, 0, 257},
                 {page, 520 * page, 1, 1, 521}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char there[PAGES];
        char *at = map_pages(PAGES, page);
        if (madvise(at + (PAGES - 1) * page, page, MADV_POPULATE_WRITE) != 0)
            SKIP("the system does not populate memory");
        if (cases[i].touched < PAGES)
            at[cases[i].touched * page] = 1;
        tl_os_populate(at + cases[i].start, cases[i].size);
        CHECK(mincore(at, PAGES * page, there) == 0);
        for (size_t k = 0; k < PAGES; k++) {
            const bool wanted = (k >= cases[i].from && k < cases[i].to) || k == cases[i].touched || k == PAGES - 1;
            if ((there[k] & 1) != wanted)
                FAIL("case %zu, page %zu", i, k);
        }
        munmap(at, PAGES * page);
    }
#endif
}

#ifdef MADV_HUGEPAGE
/* The flags of the mapping that holds an address; "" when the system does not say. */
static const char *mapping_flags(const char *address)
{
    static char line[512];
    FILE *file = fopen("/proc/self/smaps", "r");
    bool inside = false, found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        unsigned long from, to;
        if (sscanf(line, "%lx-%lx ", &from, &to) == 2)
            inside = from <= (uintptr_t)address && (uintptr_t)address < to;
        found = inside && strncmp(line, "VmFlags:", 8) == 0;
    }
    if (file)
        fclose(file);
    return found ? line : "";
}
#endif

/* Large pages are asked for where whole ones fit. */
TEST(large_pages_are_asked_for)
{
#ifndef MADV_HUGEPAGE
    SKIP("the system has no large pages");
#else
    enum { LARGE = 1 << 21, MAPPED = 6 * LARGE };
    static const struct {
        size_t start, size, from, to; /* in bytes, and in large pages */
    } cases[] = {{0, LARGE, 0, 1},
                 {0, LARGE - 4096, 0, 0},
                 {4096, LARGE, 0, 0},
                 {4096, 2 * LARGE - 4096, 1, 2},
                 {4096, 2 * LARGE - 4097, 0, 0},
                 {4096, 4 * LARGE - 4096, 1, 4},
                 {4096, 4 * LARGE - 8192, 1, 3},
                 {LARGE, 3 * LARGE + 4096, 1, 4},
                 {LARGE - 4096, LARGE + 8192, 1, 2}};
    char *tried = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(tried != MAP_FAILED);
    if (madvise(tried, LARGE, MADV_HUGEPAGE) != 0 || !strstr(mapping_flags(tried), " hg"))
        SKIP("the system does not say which pages are to be large");
    munmap(tried, LARGE);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *all = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(all != MAP_FAILED);
        char *at = all + (LARGE - (uintptr_t)all % LARGE) % LARGE;
        tl_os_advise_large_pages(at + cases[i].start, cases[i].size);
        for (size_t k = 0; k < 5; k++)
            CHECK((strstr(mapping_flags(at + k * LARGE), " hg") != NULL) == (k >= cases[i].from && k < cases[i].to));
        munmap(all, MAPPED);
    }
#endif
}

/* ---- files ---- */

static bool write_text(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

TEST(files_are_opened_as_asked)
{
    static const struct {
        tl_os_access access;
        bool file, folder, link, folder_link, absent, reads, writes;
    } cases[] = {{TL_OS_READ, true, true, true, true, false, true, false},
                 {TL_OS_READ_PLAIN, true, true, false, false, false, true, false},
                 {TL_OS_FOLDER, false, true, false, true, false, false, false},
                 {TL_OS_FOLDER_PLAIN, false, true, false, false, false, false, false},
                 {TL_OS_WRITE, true, false, true, false, false, false, true},
                 {TL_OS_CREATE, false, false, false, false, true, false, true},
                 {TL_OS_APPEND, true, false, true, false, true, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct {
            const char *name;
            bool opens;
        } opened[] = {{"file", cases[i].file},
                      {"folder", cases[i].folder},
                      {"link", cases[i].link},
                      {"folder_link", cases[i].folder_link},
                      {"absent", cases[i].absent}};
        CHECK(write_text("file", "abcd") && mkdir("folder", 0777) == 0);
        CHECK(symlink("file", "link") == 0 && symlink("folder", "folder_link") == 0);
        for (size_t k = 0; k < 5; k++) {
            char text[8] = "";
            const tl_os_file file = tl_os_open(TL_OS_HERE, opened[k].name, cases[i].access);
            CHECK((file >= 0) == opened[k].opens);
            if (file < 0)
                continue;
            CHECK(file >= 3 && (fcntl((int)file, F_GETFD) & FD_CLOEXEC));
            if (k == 0) {
                CHECK(tl_os_read(file, text, 3) == (cases[i].reads ? 3 : -1));
                CHECK_STR(text, cases[i].reads ? "abc" : "");
                CHECK(tl_os_write(file, "xy", 2) == (cases[i].writes ? 2 : -1));
                CHECK(tl_os_truncate(file) == cases[i].writes);
            }
            CHECK(tl_os_close(file));
        }
        CHECK(unlink("file") == 0 && rmdir("folder") == 0 && unlink("link") == 0 && unlink("folder_link") == 0);
        unlink("absent");
    }
}

/* Descriptors of the standard streams stay free, so that nothing is printed into a file. */
TEST(files_are_not_standard_streams)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        struct stat status;
        close(0);
        close(2);
        const tl_os_file first = tl_os_open(TL_OS_HERE, "a", TL_OS_CREATE);
        const tl_os_file none = tl_os_open(TL_OS_HERE, "a", TL_OS_CREATE);
        const bool exists = errno == EEXIST;
        _exit(first >= 3 && fcntl((int)first, F_GETFD) == FD_CLOEXEC && fstat(0, &status) != 0 &&
                      fstat(2, &status) != 0 && none < 0 && exists
                  ? 0
                  : 1);
    }
    int result = 1;
    CHECK(child > 0 && waitpid(child, &result, 0) == child);
    CHECK_INT(result, 0);
}

TEST(files_are_appended_to_rewound_and_cut)
{
    char text[8] = "";
    tl_os_status status;
    const tl_os_file file = tl_os_open(TL_OS_HERE, "log", TL_OS_APPEND);
    CHECK(file >= 0 && tl_os_append(file, "ab", 2) == 2 && tl_os_rewind(file) && tl_os_append(file, "cd", 2) == 2);
    CHECK(tl_os_rewind(file) && tl_os_read(file, text, 8) == 4);
    errno = EINTR; /* of an earlier call */
    CHECK_INT(tl_os_read(file, text, 8), 0);
    CHECK_STR(text, "abcd");
    CHECK(tl_os_stat_file(file, &status) && status.size == 4 && tl_os_sync(file));
    CHECK(tl_os_truncate(file) && tl_os_stat_file(file, &status) && status.size == 0);
    CHECK(tl_os_close(file) && !tl_os_stat_file(file, &status));
    int pipes[2];
    CHECK(pipe(pipes) == 0 && !tl_os_rewind(pipes[0]) &&
          tl_os_sync(pipes[1])); /* fsync fails, but not for want of it */
    close(pipes[0]);
    close(pipes[1]);
}

/* Locks are those of processes. */
TEST(locks_of_processes)
{
    static const struct {
        bool own, other, works;
    } cases[] = {{true, true, false}, {true, false, false}, {false, true, false}, {false, false, true}};
    for (size_t i = 0; i < 4; i++) {
        const tl_os_file file = tl_os_open(TL_OS_HERE, "lock", TL_OS_APPEND);
        CHECK(file >= 0 && tl_os_lock(file, cases[i].own));
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            const tl_os_file again = tl_os_open(TL_OS_HERE, "lock", TL_OS_APPEND);
            _exit(again >= 0 && tl_os_lock(again, cases[i].other) ? 1 : 0);
        }
        int result = 2;
        CHECK(child > 0 && waitpid(child, &result, 0) == child && WIFEXITED(result));
        CHECK_INT(WEXITSTATUS(result), cases[i].works);
        CHECK(tl_os_close(file));
    }
    const tl_os_file readable = tl_os_open(TL_OS_HERE, "lock", TL_OS_READ);
    CHECK(tl_os_lock(readable, false) && !tl_os_lock(readable, true) && tl_os_close(readable));
}

TEST(states_of_files)
{
    tl_os_status status, other;
    struct timespec times[2] = {{5, 0}, {1234567890, 123456789}};
    const tl_os_time before = tl_os_now();
    CHECK(write_text("file", "12345") && chmod("file", 0640) == 0 && symlink("file", "link") == 0 &&
          mkfifo("pipe", 0600) == 0);
    CHECK(utimensat(AT_FDCWD, "file", times, 0) == 0);
    CHECK(tl_os_stat(TL_OS_HERE, "file", true, &status));
    CHECK(status.kind == TL_OS_KIND_FILE && status.permissions == 0640 && status.size == 5);
    CHECK(status.modified.seconds == 1234567890 && status.modified.nanoseconds == 123456789);
    CHECK(status.changed.seconds >= before.seconds - 1 && status.changed.seconds <= before.seconds + 60);
    CHECK(tl_os_stat(TL_OS_HERE, "link", true, &other) && other.kind == TL_OS_KIND_FILE &&
          other.inode == status.inode && other.device == status.device);
    CHECK(tl_os_stat(TL_OS_HERE, "link", false, &other) && other.kind == TL_OS_KIND_LINK &&
          other.inode != status.inode);
    CHECK(tl_os_stat(TL_OS_HERE, ".", true, &other) && other.kind == TL_OS_KIND_FOLDER);
    CHECK(tl_os_stat(TL_OS_HERE, "pipe", true, &other) && other.kind == TL_OS_KIND_OTHER && other.size == 0);
    CHECK(!tl_os_stat(TL_OS_HERE, "none", true, &other));
    const tl_os_file file = tl_os_open(TL_OS_HERE, "file", TL_OS_READ);
    CHECK(tl_os_set_permissions(file, 0604) && tl_os_stat_file(file, &other) && other.permissions == 0604);
    CHECK(other.inode == status.inode && other.size == 5 && tl_os_close(file) && !tl_os_set_permissions(file, 0600));
}

/* Each kind of entry of a folder, once, but neither "." nor "..". */
TEST(folders_are_listed_and_changed)
{
    CHECK(tl_os_make_folder(TL_OS_HERE, "top") && !tl_os_make_folder(TL_OS_HERE, "top"));
    const tl_os_file top = tl_os_open(TL_OS_HERE, "top", TL_OS_FOLDER_PLAIN);
    CHECK(top >= 0 && tl_os_make_folder(top, "folder") && write_text("top/.file", "x"));
    CHECK(symlink("none", "top/link") == 0 && mkfifo("top/..pipe", 0600) == 0);
    for (int way = 0; way < 2; way++) {
        static const struct {
            const char *name;
            tl_os_kind kind;
        } entries[] = {{"folder", TL_OS_KIND_FOLDER},
                       {".file", TL_OS_KIND_FILE},
                       {"link", TL_OS_KIND_LINK},
                       {"..pipe", TL_OS_KIND_OTHER}};
        int seen[4] = {0}, count = 0;
        tl_os_list *list = way ? tl_os_list_path("top") : tl_os_list_folder(top);
        const char *name;
        tl_os_kind kind;
        CHECK(list != NULL);
        for (; (name = tl_os_list_next(list)); count++)
            for (int i = 0; i < 4; i++)
                seen[i] +=
                    strcmp(name, entries[i].name) == 0 && tl_os_list_kind(list, name, &kind) && kind == entries[i].kind;
        CHECK(count == 4 && seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[3] == 1);
        CHECK(!tl_os_list_kind(list, "none", &kind));
        tl_os_list_close(list);
    }
    tl_os_list_close(NULL);
    CHECK(!tl_os_list_path("none") && !tl_os_list_folder(TL_OS_NONE));
    CHECK(tl_os_link(top, ".file", "second") && !tl_os_link(top, ".file", "second") && access("top/second", F_OK) == 0);
    CHECK(tl_os_rename(top, "second", "third") && access("top/second", F_OK) != 0 && access("top/third", F_OK) == 0);
    CHECK(!tl_os_rename(top, "second", "fourth") && tl_os_remove(top, "third") && !tl_os_remove(top, "third"));
    CHECK(!tl_os_remove(top, "folder") && !tl_os_remove_folder("top") && tl_os_remove_folder("top/folder"));
    CHECK(!tl_os_remove_folder("top/folder") && tl_os_close(top));
}

TEST(paths_of_the_system)
{
    char path[1000], small[2];
    CHECK(tl_os_working_folder(path, sizeof path) && path[0] == '/' && !tl_os_working_folder(small, sizeof small));
    CHECK(symlink(".", "here") == 0);
    char *resolved = tl_os_resolve("here/here/."), *real = realpath(path, NULL);
    CHECK(resolved && real && !tl_os_resolve("none"));
    char *folder = tl_os_resolve(".");
    CHECK_STR(folder, real);
    CHECK_STR(resolved, real);
    free(folder);
    free(resolved);
    free(real);
    CHECK(tl_os_root("/a") == 1 && tl_os_root("a/") == 0 && tl_os_root("") == 0);
    CHECK_STR(tl_os_last_separator("a/b/c"), "/c");
    CHECK(!tl_os_last_separator("abc") && tl_os_is_separator('/') && !tl_os_is_separator('\\'));
}

/* ---- time and threads ---- */

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

TEST(time_and_processors)
{
    const tl_os_time now = tl_os_now();
    const time_t clock = time(NULL);
    CHECK(now.seconds <= clock + 1 && now.seconds > clock - 60);
    CHECK(now.nanoseconds >= 0 && now.nanoseconds < 1000000000);
    CHECK(tl_os_process_id() == (uint64_t)getpid());
    CHECK_INT(tl_os_processor_count(), sysconf(_SC_NPROCESSORS_ONLN));
}

/* A wait lasts as long as asked, wherever in a second it begins; on a busy machine, some of them. */
TEST(waits_end_in_time)
{
    tl_os_mutex mutex;
    tl_os_condition condition;
    double shortest = 1e9;
    tl_os_mutex_init(&mutex);
    tl_os_condition_init(&condition);
    tl_os_mutex_lock(&mutex);
    for (int i = 0; i < 12; i++) {
        struct timespec start;
        clock_gettime(CLOCK_MONOTONIC, &start);
        tl_os_condition_wait(&condition, &mutex, 3);
        const double seconds = seconds_since(&start);
        CHECK(seconds >= 0.0025);
        shortest = seconds < shortest ? seconds : shortest;
    }
    CHECK(shortest < 0.5);
    tl_os_mutex_unlock(&mutex);
    tl_os_condition_free(&condition);
    tl_os_mutex_free(&mutex);
}

typedef struct exchange {
    tl_os_mutex mutex;
    tl_os_condition changed;
    int turn, sum;
} exchange;

/* Adds when it is its turn: the turns are odd. */
static void answer(void *user)
{
    exchange *e = user;
    tl_os_mutex_lock(&e->mutex);
    for (int i = 0; i < 10; i++) {
        while (e->turn % 2 == 0)
            tl_os_condition_wait(&e->changed, &e->mutex, 0);
        e->sum += e->turn++;
        tl_os_condition_broadcast(&e->changed);
    }
    tl_os_mutex_unlock(&e->mutex);
}

TEST(threads_take_turns)
{
    exchange e = {.turn = 0};
    tl_os_thread thread;
    tl_os_mutex_init(&e.mutex);
    tl_os_condition_init(&e.changed);
    CHECK(tl_os_thread_start(&thread, answer, &e));
    tl_os_mutex_lock(&e.mutex);
    for (int i = 0; i < 10; i++) {
        while (e.turn % 2 == 1)
            tl_os_condition_wait(&e.changed, &e.mutex, 5000);
        e.turn++;
        tl_os_condition_broadcast(&e.changed);
    }
    tl_os_mutex_unlock(&e.mutex);
    tl_os_thread_join(&thread);
    CHECK(e.turn == 20 && e.sum == 100); /* 1 + 3 + ... + 19 */
    tl_os_condition_free(&e.changed);
    tl_os_mutex_free(&e.mutex);
}

/* ---- signals ---- */

static volatile sig_atomic_t handled;

static void count_signal(int number)
{
    (void)number;
    handled = handled + 1;
}

/* A held signal is pending until it is released; one that is ignored does not count, one with a handler is not deadly.
 */
TEST(signals_are_held)
{
    static const struct {
        int number;
        bool user; /* one that users send */
    } cases[] = {{SIGHUP, true},   {SIGINT, true},   {SIGQUIT, true},  {SIGTERM, true}, {SIGALRM, false},
                 {SIGXCPU, false}, {SIGXFSZ, false}, {SIGPIPE, false}, {SIGUSR1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int set = 0; set < 2; set++)
            for (int kind = 0; kind < 3; kind++) { /* ignored, handled, deadly */
                const bool held = (set == 1 || cases[i].user) && cases[i].number != SIGUSR1;
                tl_os_signals signals;
                struct sigaction action = {.sa_handler = kind == 0   ? SIG_IGN
                                                         : kind == 1 ? count_signal
                                                                     : SIG_DFL},
                                 before;
                if (kind == 2 && !held)
                    continue;
                CHECK(sigaction(cases[i].number, &action, &before) == 0);
                handled = 0;
                tl_os_signals_hold(&signals, set ? TL_OS_SIGNALS_ALL : TL_OS_SIGNALS_OF_USER);
                CHECK(!tl_os_signals_pending(&signals, false) && !tl_os_signals_pending(&signals, true));
                raise(cases[i].number);
                CHECK(handled == (kind == 1 && !held));
                CHECK(tl_os_signals_pending(&signals, false) == (kind > 0 && held));
                CHECK(tl_os_signals_pending(&signals, true) == (kind == 2 && held));
                if (kind == 2) { /* it must not arrive */
                    action.sa_handler = SIG_IGN;
                    sigaction(cases[i].number, &action, NULL);
                }
                tl_os_signals_release(&signals);
                CHECK(handled == (kind == 1));
                sigaction(cases[i].number, &before, NULL);
            }
}

/* Signals that the caller blocks are the caller's: they are not reported, and stay blocked. */
TEST(signals_of_the_caller_stay_blocked)
{
    sigset_t own, after;
    struct sigaction action = {.sa_handler = count_signal}, before;
    tl_os_signals signals;
    sigemptyset(&own);
    sigaddset(&own, SIGTERM);
    handled = 0;
    CHECK(sigaction(SIGTERM, &action, &before) == 0 && sigprocmask(SIG_BLOCK, &own, NULL) == 0);
    tl_os_signals_hold(&signals, TL_OS_SIGNALS_ALL);
    raise(SIGTERM);
    CHECK(!tl_os_signals_pending(&signals, false) && handled == 0);
    tl_os_signals_release(&signals);
    CHECK(handled == 0 && sigprocmask(SIG_SETMASK, NULL, &after) == 0);
    CHECK(sigismember(&after, SIGTERM) == 1 && sigismember(&after, SIGINT) == 0);
    CHECK(sigprocmask(SIG_UNBLOCK, &own, NULL) == 0 && handled == 1);
    sigaction(SIGTERM, &before, NULL);
}

TEST_MAIN(CASE(pages_of_a_range_are_populated), CASE(large_pages_are_asked_for), CASE(files_are_opened_as_asked),
          CASE(files_are_not_standard_streams), CASE(files_are_appended_to_rewound_and_cut), CASE(locks_of_processes),
          CASE(states_of_files), CASE(folders_are_listed_and_changed), CASE(paths_of_the_system),
          CASE(time_and_processors), CASE(waits_end_in_time), CASE(threads_take_turns), CASE(signals_are_held),
          CASE(signals_of_the_caller_stay_blocked))
