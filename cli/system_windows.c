/* system.h for Windows. */
#ifdef _WIN32
#define _WIN32_WINNT 0x0601 /* Windows 7 */
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX

#include "system.h"

#include "alloc.h"
#include "hash.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

int main(int argc, char **argv);
int wmain(int argc, wchar_t **argv);

/* MinGW's start-up code replaces operands with "*" and "?" by the files they match, as shells do elsewhere. */
extern int _dowildcard;
int _dowildcard = -1;

/* The command line comes as UTF-16. */
int wmain(int argc, wchar_t **argv)
{
    char **words = need(NULL, (size_t)argc + 1, sizeof *words);
    for (int i = 0; i < argc; i++) {
        const int size = WideCharToMultiByte(CP_UTF8, 0, argv[i], -1, NULL, 0, NULL, NULL);
        words[i] = need(NULL, (size_t)size + 1, 1);
        words[i][0] = '\0';
        WideCharToMultiByte(CP_UTF8, 0, argv[i], -1, words[i], size, NULL, NULL);
    }
    words[argc] = NULL;
    const int code = main(argc, words);
    for (int i = 0; i < argc; i++)
        free(words[i]);
    free(words);
    return code;
}

/* The same path for Windows, to be freed; NULL: it is not UTF-8. */
static wchar_t *widened(const char *path)
{
    const int size = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    if (size <= 0) {
        errno = EINVAL;
        return NULL;
    }
    wchar_t *wide = need(NULL, (size_t)size, sizeof *wide);
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, size);
    return wide;
}

void system_take_path(char *path)
{
    for (; *path; path++)
        if (*path == '\\')
            *path = '/';
}

bool system_is_absolute(const char *path)
{
    return *path == '/' || (path[0] != '\0' && path[1] == ':');
}

/* ---- standard streams ---- */

static UINT code_page_before;

static void restore_code_page(void)
{
    SetConsoleOutputCP(code_page_before);
}

/* The console shows UTF-8 and understands colours. */
static void prepare_console(DWORD which)
{
    DWORD mode;
    const HANDLE console = GetStdHandle(which);
    if (!GetConsoleMode(console, &mode))
        return;
    SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    if (code_page_before == 0) {
        code_page_before = GetConsoleOutputCP();
        SetConsoleOutputCP(CP_UTF8);
        atexit(restore_code_page);
    }
}

void system_prepare(void)
{
    FILE *const streams[] = {stdin, stdout, stderr};
    for (size_t i = 0; i < 3; i++) /* the same bytes as elsewhere: no carriage returns, no end at Ctrl-Z */
        if (_fileno(streams[i]) >= 0)
            _setmode(_fileno(streams[i]), _O_BINARY);
    prepare_console(STD_OUTPUT_HANDLE);
    prepare_console(STD_ERROR_HANDLE);
}

bool system_is_terminal(FILE *file)
{
    DWORD mode;
    const int descriptor = _fileno(file);
    return descriptor >= 0 && GetConsoleMode((HANDLE)_get_osfhandle(descriptor), &mode) &&
           (file == stdin || (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING)); /* older consoles would print the codes */
}

/* ---- files ---- */

static DWORD attributes_of(const char *path)
{
    wchar_t *wide = widened(path);
    const DWORD attributes = wide ? GetFileAttributesW(wide) : INVALID_FILE_ATTRIBUTES;
    free(wide);
    return attributes;
}

bool system_exists(const char *path)
{
    return attributes_of(path) != INVALID_FILE_ATTRIBUTES;
}

bool system_is_file(const char *path)
{
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE));
}

bool system_is_folder(const char *path)
{
    const DWORD attributes = attributes_of(path);
    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY);
}

uint64_t system_file_stamp(const char *path)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t *wide = widened(path);
    const bool found = wide && GetFileAttributesExW(wide, GetFileExInfoStandard, &data);
    free(wide);
    if (!found)
        return 0;
    const uint64_t words[] = {data.ftLastWriteTime.dwHighDateTime, data.ftLastWriteTime.dwLowDateTime,
                              data.nFileSizeHigh, data.nFileSizeLow};
    uint64_t stamp = 1;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        stamp = hash_add(stamp, words[i]);
    return stamp;
}

/* Folders above it are made too, one after the other. */
bool system_make_directory(const char *path)
{
    wchar_t *wide = widened(path);
    bool made = wide != NULL;
    for (size_t i = 1; made && i <= wcslen(wide); i++) {
        const wchar_t c = wide[i];
        if ((c != L'/' && c != L'\0') || wide[i - 1] == L':')
            continue;
        wide[i] = L'\0';
        const DWORD there = GetFileAttributesW(wide);
        made = (there != INVALID_FILE_ATTRIBUTES && (there & FILE_ATTRIBUTE_DIRECTORY)) || _wmkdir(wide) == 0;
        wide[i] = c;
        if (c == L'\0')
            break;
    }
    free(wide);
    return made;
}

/* Windows has no files in memory: one that is removed when it is closed, and kept from the disk while there is memory.
 */
bool system_text_open(system_text *text)
{
    wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
    *text = (system_text){.file = NULL};
    const DWORD length = GetTempPathW(MAX_PATH + 1, folder);
    if (length > 0 && length <= MAX_PATH && GetTempFileNameW(folder, L"tri", 0, path) != 0)
        text->file = _wfopen(path, L"w+bTD");
    return text->file != NULL;
}

bool system_text_close(system_text *text)
{
    const long size = fflush(text->file) == 0 && !ferror(text->file) ? ftell(text->file) : -1;
    text->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    bool ok = text->text != NULL;
    if (ok) {
        rewind(text->file);
        text->size = fread(text->text, 1, (size_t)size, text->file);
        text->text[text->size] = '\0';
        ok = text->size == (size_t)size;
    }
    return fclose(text->file) == 0 && ok;
}

void system_pause(unsigned milliseconds)
{
    Sleep(milliseconds);
}
#else
typedef int system_is_not_windows; /* a source file must not be empty */
#endif
