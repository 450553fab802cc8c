/* seen.c: notes which basic blocks of the library a test enters, for tools/line_map.py.
 *
 * The compiler calls __sanitizer_cov_trace_pc at each basic block (-fsanitize-coverage=trace-pc). The file that
 * $TRILOBITE_LINES names has a byte for each byte of the program; where a block was entered, it is 1. It is memory that
 * all processes of a test share, so that nothing is lost when one of them is killed, and nothing has to be added up.
 */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

extern const char __executable_start[]; /* by the linker */

static char *seen;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    if (seen)
        seen[(const char *)__builtin_return_address(0) - __executable_start] = 1;
}

/* The file is made, as long as the program, by whoever asks: a test may run where no file can be made. */
__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("TRILOBITE_LINES");
    int file = path ? open(path, O_RDWR) : -1;
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        return;
    void *memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    seen = memory == MAP_FAILED ? NULL : memory;
    close(file);
}
