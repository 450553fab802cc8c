/* driver.c PROGRAM PRELOAD FIXTURES COMMANDS [full]: runs every command of the file COMMANDS in a folder of its own
 * with a copy of the folder FIXTURES, first as it is, then with one call of the C library failing at a time
 * (preload.c).
 *
 * A line of COMMANDS is what follows the name of the program, after "OUTPUTS |": the files that it replaces. Whatever
 * fails: the program is not ended by a signal, does not exit with 70, and if it exits as it should, standard output and
 * all files are as without a fault; otherwise all files are as they were before, and there are no new ones. Where
 * standard output cannot be written the files may also be complete: it gets its report last.
 *
 * A command whose OUTPUTS start with "+" writes several files one after the other, and "+" is followed by nothing else:
 * when it fails, running it once more without a fault gives the result that it has without one.
 *
 * `view` runs until it is stopped: as soon as it has printed its address, which is another one every time. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WORDS = 40,
    READ = 1,
    FEW = 24,
    STDIO = 5,
    RENAMEAT = 6,
    CALLS = 8,
    EXIT_BUG = 70,
    PATIENCE = 120 /* seconds */
};
static const char *const calls[CALLS] = {"malloc", "read", "write", "openat", "fsync", "stdio", "renameat", "live"};

static const char *program, *preload;
static unsigned long runs, kept, failures;

/* --- files --- */

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001B3u;
    return hash;
}

static uint64_t hash_file(const char *path)
{
    uint8_t block[1 << 16];
    uint64_t hash = 0xCBF29CE484222325u;
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
        hash = hash_bytes(hash, block, got);
    if (file)
        fclose(file);
    return file ? hash : 0;
}

/* The names and bytes of all files below a folder, in any order; leaves out those of the driver, and manifests, which
 * hold times and inodes. */
static uint64_t hash_folder(const char *folder)
{
    uint64_t sum = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[512];
        struct stat status;
        snprintf(path, sizeof path, "%s/%.250s", folder, entry->d_name);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 || strstr(entry->d_name, ".manifest") ||
            stat(path, &status) != 0)
            continue;
        sum += S_ISDIR(status.st_mode)
                   ? hash_folder(path)
                   : hash_bytes(hash_file(path), path + strlen("work"), strlen(path + strlen("work")));
    }
    if (dir)
        closedir(dir);
    return sum;
}

static void copy_fixtures(const char *fixtures, const char *outputs)
{
    char line[2048];
    snprintf(line, sizeof line, "rm -rf work && cp -Rp '%s' work", fixtures);
    if (system(line) != 0)
        exit(2);
    char names[512];
    snprintf(names, sizeof names, "%s", outputs);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        snprintf(line, sizeof line, "work/%s", name);
        FILE *file = fopen(line, "wb");
        if (!file || fputs("old\n", file) < 0 || fclose(file) != 0)
            exit(2);
    }
}

/* --- a run --- */

typedef struct fault {
    const char *call; /* NULL: none */
    unsigned long at;
    bool on; /* all calls behind it fail too */
} fault;

typedef struct result {
    int status;
    uint64_t out, files;
} result;

/* `view` is stopped when it has said where it is. */
static int wait_for(pid_t child, bool is_view)
{
    struct stat out;
    int status = -1;
    while (waitpid(child, &status, is_view ? WNOHANG : 0) == 0) {
        if (stat("stdout", &out) == 0 && out.st_size > 0)
            kill(child, SIGTERM);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return status;
}

static result run_command(char **words, fault f)
{
    const bool is_view = strcmp(words[1], "view") == 0;
    char at[32];
    runs++;
    unlink("stdout");
    const pid_t child = fork();
    if (child == 0) {
        snprintf(at, sizeof at, "%lu", f.at);
        setenv("LD_PRELOAD", preload, 1);
        if (f.call && (strcmp(f.call, "live") == 0 || strcmp(f.call, "short") == 0))
            setenv(strcmp(f.call, "live") == 0 ? "FAULT_LIVE" : "FAULT_SHORT", at, 1);
        else if (f.call) {
            setenv("FAULT_CALL", f.call, 1);
            setenv("FAULT_AT", at, 1);
            setenv("FAULT_ON", f.on ? "1" : "0", 1);
        } else
            setenv("FAULT_REPORT", "../report", 1);
        const int out = open("stdout", O_CREAT | O_TRUNC | O_WRONLY, 0666);
        const int err = open("stderr", O_CREAT | O_TRUNC | O_WRONLY, 0666);
        if (chdir("work") != 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
            _exit(2);
        alarm(PATIENCE); /* what hangs is ended by a signal */
        execv(program, words);
        _exit(127);
    }
    result r = {.status = -1};
    r.status = wait_for(child, is_view);
    r.out = is_view ? 0 : hash_file("stdout");
    r.files = hash_folder("work");
    return r;
}

static void read_report(unsigned long counts[CALLS])
{
    char name[32];
    FILE *file = fopen("report", "r");
    for (int i = 0; i < CALLS; i++)
        if (!file || fscanf(file, "%31s %lu", name, &counts[i]) != 2)
            exit(2);
    fclose(file);
}

static void complain(const char *line, fault f, result r, const char *what)
{
    char text[400] = "";
    FILE *err = fopen("stderr", "r");
    if (err) {
        text[fread(text, 1, sizeof text - 1, err)] = '\0';
        fclose(err);
    }
    failures++;
    printf("FAIL %s: %s %lu%s: %s (%s %d)\n%s", line, f.call, f.at, f.on ? " and on" : "", what,
           WIFSIGNALED(r.status) ? "signal" : "exit",
           WIFSIGNALED(r.status) ? WTERMSIG(r.status) : WEXITSTATUS(r.status), text);
}

/* True: the fault changed something. `before` is 0 where a command may leave files. */
static bool judge(const char *line, fault f, result r, result whole, uint64_t before)
{
    if (!WIFEXITED(r.status))
        complain(line, f, r, "ended by a signal");
    else if (WEXITSTATUS(r.status) == EXIT_BUG)
        complain(line, f, r, "says that it is a bug");
    else if (r.status == whole.status && r.out == whole.out && r.files == whole.files) {
        kept++;
        return false;
    } else if (r.status == whole.status)
        complain(line, f, r, "another result with the same exit code");
    else if (WEXITSTATUS(r.status) == 0)
        complain(line, f, r, "success in spite of it");
    else if (before && r.files != before && !(f.call == calls[STDIO] && r.files == whole.files))
        complain(line, f, r, "failed, but changed files");
    return true;
}

/* After a failure the next run makes up for it. */
static void check_recovery(const char *line, fault f, char **words, result whole)
{
    const result r = run_command(words, (fault){NULL, 0, false});
    if (r.status != whole.status || r.files != whole.files)
        complain(line, f, r, "the next run, without a fault, has another result");
}

static void try_command(const char *fixtures, char *line, bool full)
{
    char *words[WORDS + 1] = {(char *)(uintptr_t)program}, text[1024];
    size_t count = 1;
    char *bar = strchr(line, '|');
    if (!bar)
        exit(2);
    *bar = '\0';
    snprintf(text, sizeof text, "%s", bar + 1);
    for (char *word = strtok(text, " \n"); word && count < WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    bar[strcspn(bar, "\n")] = '\0';
    const bool several = line[0] == '+';
    if (several)
        line[0] = ' ';
    copy_fixtures(fixtures, line);
    const uint64_t before = hash_folder("work");
    unsigned long counts[CALLS];
    const result whole = run_command(words, (fault){NULL, 0, false});
    read_report(counts);
    if (!WIFEXITED(whole.status) || WEXITSTATUS(whole.status) > 1) {
        complain(bar + 1, (fault){"none", 0, false}, whole, "does not work as it is");
        return;
    }
    copy_fixtures(fixtures, line);
    for (int k = 0; k < CALLS; k++)
        /* When every rename fails, the previous files cannot be restored either. */
        for (int on = 0; on < (k >= RENAMEAT ? 1 : 2); on++) {
            /* Bytes in equal steps, calls in steps that grow, unless all are wanted or they are few. */
            unsigned long n = k == CALLS - 1 ? counts[k] / 16 + 1 : 1;
            while (n <= counts[k]) {
                const fault f = {calls[k], n, on == 1};
                const result r = run_command(words, f);
                const bool changed = judge(bar + 1, f, r, whole, several ? 0 : before);
                if (changed && several)
                    check_recovery(bar + 1, f, words, whole);
                if ((several && changed) || r.files != before) /* manifests are not in the hash */
                    copy_fixtures(fixtures, line);
                const bool next = full || (k <= READ && counts[k] <= FEW);
                n += k == CALLS - 1 ? counts[k] / (full ? 160 : 8) + 1 : next ? 1 : 1 + n;
            }
        }
    for (unsigned long n = 1; n <= 1000; n = 10 * n + 3) {
        const fault f = {"short", n, false};
        const result r = run_command(words, f);
        if (judge(bar + 1, f, r, whole, several ? 0 : before))
            complain(bar + 1, f, r, "short reads and writes change the result");
        copy_fixtures(fixtures, line);
    }
}

int main(int argc, char **argv)
{
    char line[1024];
    if (argc < 5)
        return 2;
    program = argv[1];
    preload = argv[2];
    FILE *commands = fopen(argv[4], "r");
    unsigned long count = 0;
    for (; commands && fgets(line, sizeof line, commands); count++)
        try_command(argv[3], line, argc > 5);
    if (commands)
        fclose(commands);
    printf("%lu commands, %lu runs, %lu without effect, %lu failures\n", count, runs, kept, failures);
    return failures > 0 || count == 0;
}
