/* Windows. Names are given to it as UTF-16, and names in an open folder by their path without shortcuts ("\\?\C:\..."),
 * in which Windows sees no devices, no drives and no other separators. */
#ifdef _WIN32
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601 /* Windows 7 */
#endif
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX

#include "base/os.h"

#include <errno.h>
#include <process.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <windows.h>

#undef near /* words of windows.h */
#undef far

enum { OS_PATH_ROOM = 4096, OS_LONG_PATH = 240, OS_MOST_AT_ONCE = 1 << 30 };

/* ---- reasons ---- */

static const struct {
    DWORD code;
    int reason;
} os_reasons[] = {
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_INVALID_NAME, EINVAL},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EAGAIN},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_NOT_SAME_DEVICE, EXDEV},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_NO_DATA, EPIPE},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_NO_UNICODE_TRANSLATION, EINVAL},
};

/* Sets errno to the reason why the last call of Windows failed. */
static void os_keep_reason(void)
{
    const DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof os_reasons / sizeof *os_reasons; i++)
        if (os_reasons[i].code == code)
            errno = os_reasons[i].reason;
}

static bool os_done(BOOL done)
{
    if (!done)
        os_keep_reason();
    return done != 0;
}

/* ---- paths ---- */

const char *tl_os_last_separator(const char *path)
{
    const char *last = NULL;
    for (; *path; path++)
        if (tl_os_is_separator(*path))
            last = path;
    return last;
}

size_t tl_os_root(const char *path)
{
    const bool drive = ((path[0] >= 'a' && path[0] <= 'z') || (path[0] >= 'A' && path[0] <= 'Z')) && path[1] == ':';
    return 2u * drive + tl_os_is_separator(path[2 * drive]);
}

static bool os_is_word(const char *text, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++)
        if (word[i] == '\0' || (text[i] >= 'a' && text[i] <= 'z' ? text[i] - 'a' + 'A' : text[i]) != word[i])
            return false;
    return word[length] == '\0';
}

/* "con", "Nul.png" and "COM1 .t3dm" are devices, whatever the folder. */
static bool os_is_device(const char *name, size_t length)
{
    static const char *const words[] = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"};
    static const char *const ports[] = {"COM", "LPT"}, *const numbers[] = {"\xC2\xB9", "\xC2\xB2", "\xC2\xB3"};
    size_t stem = 0;
    while (stem < length && name[stem] != '.')
        stem++;
    while (stem > 0 && name[stem - 1] == ' ')
        stem--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (os_is_word(name, stem, words[i]))
            return true;
    for (size_t i = 0; stem > 3 && i < 2; i++) {
        if (!os_is_word(name, 3, ports[i]))
            continue;
        if (stem == 4 && name[3] >= '0' && name[3] <= '9')
            return true;
        for (size_t k = 0; stem == 5 && k < 3; k++) /* superscripts are digits, too */
            if (memcmp(name + 3, numbers[k], 2) == 0)
                return true;
    }
    return false;
}

bool tl_os_is_plain_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)name[i] < 0x20 || strchr("\\/:*?\"<>|", name[i]))
            return false;
    return length > 0 && name[length - 1] != '.' && name[length - 1] != ' ' && !os_is_device(name, length);
}

/* UTF-16, with backslashes. */
static bool os_widen(const char *text, wchar_t *wide, size_t room)
{
    const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, wide, (int)room);
    if (length <= 0) {
        errno = GetLastError() == ERROR_INSUFFICIENT_BUFFER ? ENAMETOOLONG : EINVAL;
        return false;
    }
    for (wchar_t *c = wide; *c; c++)
        if (*c == L'/')
            *c = L'\\';
    return true;
}

/* UTF-8, with slashes, and without "\\?\". */
static bool os_narrow(const wchar_t *wide, char *text, size_t room)
{
    static const wchar_t literal[] = L"\\\\?\\", share[] = L"\\\\?\\UNC\\";
    wchar_t plain[OS_PATH_ROOM];
    if (wcsncmp(wide, share, 8) == 0) {
        if (wcslen(wide) >= OS_PATH_ROOM) {
            errno = ENAMETOOLONG;
            return false;
        }
        wcscpy(plain, L"\\");
        wcscat(plain, wide + 7);
        wide = plain;
    } else if (wcsncmp(wide, literal, 4) == 0) {
        wide += 4;
    }
    if (WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, (int)room, NULL, NULL) <= 0) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (char *c = text; *c; c++)
        if (*c == '\\')
            *c = '/';
    return true;
}

/* The path of a handle, without shortcuts. */
static bool os_path_of(HANDLE handle, wchar_t *path, size_t room)
{
    DWORD length = GetFinalPathNameByHandleW(handle, path, (DWORD)room, VOLUME_NAME_DOS);
    if (length == 0) /* a volume without a letter */
        length = GetFinalPathNameByHandleW(handle, path, (DWORD)room, VOLUME_NAME_GUID);
    if (length == 0)
        os_keep_reason();
    else if (length >= room)
        errno = ENAMETOOLONG;
    return length > 0 && length < room;
}

/* What leads from a folder to a path, for Windows. Paths above some 250 characters must be whole. */
static bool os_path_from(tl_os_file folder, const char *path, wchar_t whole[OS_PATH_ROOM])
{
    wchar_t name[OS_PATH_ROOM];
    if (!os_widen(path, name, OS_PATH_ROOM))
        return false;
    if (folder != TL_OS_HERE) {
        if (!os_path_of((HANDLE)folder, whole, OS_PATH_ROOM))
            return false;
        const size_t length = wcslen(whole), slash = length > 0 && whole[length - 1] != L'\\';
        if (length + slash + wcslen(name) >= OS_PATH_ROOM) {
            errno = ENAMETOOLONG;
            return false;
        }
        wcscpy(whole + length, slash ? L"\\" : L"");
        wcscat(whole, name);
        return true;
    }
    if (*name == L'\0') {
        errno = ENOENT;
        return false;
    }
    const DWORD length = GetFullPathNameW(name, OS_PATH_ROOM - 8, whole + 4, NULL);
    if (length >= OS_LONG_PATH && length < OS_PATH_ROOM - 8 && wcsncmp(whole + 4, L"\\\\", 2) != 0)
        wmemcpy(whole, L"\\\\?\\", 4);
    else
        wcscpy(whole, name);
    return true;
}

bool tl_os_working_folder(char *path, size_t room)
{
    wchar_t wide[OS_PATH_ROOM];
    const DWORD length = GetCurrentDirectoryW(OS_PATH_ROOM, wide);
    return length > 0 && length < OS_PATH_ROOM && os_narrow(wide, path, room);
}

static HANDLE os_open_to_look(tl_os_file folder, const char *path, bool follow_link)
{
    wchar_t whole[OS_PATH_ROOM];
    if (!os_path_from(folder, path, whole))
        return INVALID_HANDLE_VALUE;
    const HANDLE handle =
        CreateFileW(whole, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | (follow_link ? 0 : FILE_FLAG_OPEN_REPARSE_POINT), NULL);
    if (handle == INVALID_HANDLE_VALUE)
        os_keep_reason();
    return handle;
}

char *tl_os_resolve(const char *path)
{
    enum { ROOM = 3 * OS_PATH_ROOM };
    wchar_t wide[OS_PATH_ROOM];
    const HANDLE handle = os_open_to_look(TL_OS_HERE, path, true);
    if (handle == INVALID_HANDLE_VALUE)
        return NULL;
    char *text = malloc(ROOM);
    const bool found = text && os_path_of(handle, wide, OS_PATH_ROOM) && os_narrow(wide, text, ROOM);
    CloseHandle(handle);
    if (found)
        return text;
    free(text);
    return NULL;
}

/* ---- open files and folders ---- */

/* True if the handle is a symbolic link or a junction, opened as such. Other reparse points are files,
 * as those of cloud storage. */
static bool os_is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof info) &&
           (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && IsReparseTagNameSurrogate(info.ReparseTag);
}

/* True if what was opened is not at its path below the folder: a link, by its tag, or a file with another final path,
 * such as a link that wine has followed. Capital letters may differ. */
static bool os_leads_elsewhere(HANDLE handle, tl_os_file folder, const wchar_t *path)
{
    wchar_t real[OS_PATH_ROOM];
    return os_is_link(handle) ||
           (folder != TL_OS_HERE &&
            (!os_path_of(handle, real, OS_PATH_ROOM) || CompareStringOrdinal(real, -1, path, -1, TRUE) != CSTR_EQUAL));
}

/* A folder that is open can be neither renamed nor removed by others, so a path through it stays what it is. */
tl_os_file tl_os_open(tl_os_file folder, const char *path, tl_os_access access)
{
    static const struct {
        DWORD rights, disposition, flags;
    } kinds[] = {
        [TL_OS_READ] = {GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS},
        [TL_OS_READ_PLAIN] = {GENERIC_READ, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT},
        [TL_OS_FOLDER] = {FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | SYNCHRONIZE, OPEN_EXISTING,
                          FILE_FLAG_BACKUP_SEMANTICS},
        [TL_OS_FOLDER_PLAIN] = {FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | SYNCHRONIZE, OPEN_EXISTING,
                                FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT},
        [TL_OS_WRITE] = {GENERIC_WRITE, OPEN_EXISTING, 0},
        [TL_OS_CREATE] = {GENERIC_WRITE | FILE_READ_ATTRIBUTES, CREATE_NEW, 0},
        [TL_OS_APPEND] = {GENERIC_READ | GENERIC_WRITE, OPEN_ALWAYS, 0},
    };
    const bool is_folder = access == TL_OS_FOLDER || access == TL_OS_FOLDER_PLAIN;
    wchar_t whole[OS_PATH_ROOM];
    BY_HANDLE_FILE_INFORMATION info;
    if (!os_path_from(folder, path, whole))
        return TL_OS_NONE;
    const HANDLE handle = CreateFileW(
        whole, kinds[access].rights, FILE_SHARE_READ | FILE_SHARE_WRITE | (is_folder ? 0 : (DWORD)FILE_SHARE_DELETE),
        NULL, kinds[access].disposition, kinds[access].flags | FILE_ATTRIBUTE_NORMAL, NULL);
    if (handle == INVALID_HANDLE_VALUE) {
        os_keep_reason();
        return TL_OS_NONE;
    }
    int reason = 0;
    if ((kinds[access].flags & FILE_FLAG_OPEN_REPARSE_POINT) && os_leads_elsewhere(handle, folder, whole))
        reason = EACCES;
    else if (is_folder &&
             (!GetFileInformationByHandle(handle, &info) || !(info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)))
        reason = ENOTDIR;
    if (reason == 0)
        return (tl_os_file)handle;
    CloseHandle(handle);
    errno = reason;
    return TL_OS_NONE;
}

bool tl_os_close(tl_os_file file)
{
    return os_done(CloseHandle((HANDLE)file));
}

ptrdiff_t tl_os_read(tl_os_file file, void *bytes, size_t size)
{
    DWORD got = 0;
    if (ReadFile((HANDLE)file, bytes, size < OS_MOST_AT_ONCE ? (DWORD)size : OS_MOST_AT_ONCE, &got, NULL) ||
        GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF)
        return (ptrdiff_t)got;
    os_keep_reason();
    return -1;
}

static ptrdiff_t os_write(tl_os_file file, const void *bytes, size_t size, OVERLAPPED *where)
{
    DWORD wrote = 0;
    if (WriteFile((HANDLE)file, bytes, size < OS_MOST_AT_ONCE ? (DWORD)size : OS_MOST_AT_ONCE, &wrote, where))
        return (ptrdiff_t)wrote;
    os_keep_reason();
    return -1;
}

ptrdiff_t tl_os_write(tl_os_file file, const void *bytes, size_t size)
{
    return os_write(file, bytes, size, NULL);
}

ptrdiff_t tl_os_append(tl_os_file file, const void *bytes, size_t size)
{
    OVERLAPPED end = {.Offset = 0xFFFFFFFF, .OffsetHigh = 0xFFFFFFFF};
    return os_write(file, bytes, size, &end);
}

bool tl_os_rewind(tl_os_file file)
{
    return os_done(SetFilePointerEx((HANDLE)file, (LARGE_INTEGER){.QuadPart = 0}, NULL, FILE_BEGIN));
}

bool tl_os_truncate(tl_os_file file)
{
    return tl_os_rewind(file) && os_done(SetEndOfFile((HANDLE)file));
}

/* Folders cannot be waited for. */
bool tl_os_sync(tl_os_file file)
{
    return FlushFileBuffers((HANDLE)file) || GetLastError() == ERROR_ACCESS_DENIED ||
           GetLastError() == ERROR_INVALID_FUNCTION || GetLastError() == ERROR_INVALID_HANDLE || os_done(FALSE);
}

/* The byte that is locked is beyond the end of any file: processes that do not lock may read and write. */
bool tl_os_lock(tl_os_file file, bool exclusive)
{
    OVERLAPPED where = {.Offset = 0, .OffsetHigh = 0x7FFFFFFF};
    UnlockFileEx((HANDLE)file, 0, 1, 0, &where);
    return os_done(LockFileEx((HANDLE)file, LOCKFILE_FAIL_IMMEDIATELY | (exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0), 0, 1,
                              0, &where));
}

/* Windows counts 100 nanoseconds from 1601. */
static tl_os_time os_time(uint64_t ticks)
{
    const int64_t since = (int64_t)ticks - INT64_C(116444736000000000);
    const int64_t seconds = since / 10000000 - (since % 10000000 < 0);
    return (tl_os_time){seconds, (int32_t)(since - seconds * 10000000) * 100};
}

bool tl_os_stat_file(tl_os_file file, tl_os_status *status)
{
    BY_HANDLE_FILE_INFORMATION info;
    FILE_BASIC_INFO basic;
    const HANDLE handle = (HANDLE)file;
    *status = (tl_os_status){.kind = TL_OS_KIND_OTHER, .permissions = 0666};
    if (GetFileType(handle) != FILE_TYPE_DISK)
        return true;
    if (!os_done(GetFileInformationByHandle(handle, &info)))
        return false;
    status->kind = os_is_link(handle)                                 ? TL_OS_KIND_LINK
                   : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? TL_OS_KIND_FOLDER
                                                                      : TL_OS_KIND_FILE;
    status->size = (uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow;
    status->device = info.dwVolumeSerialNumber;
    status->inode = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow;
    status->modified =
        os_time((uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime);
    status->changed = status->modified;
    if (GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic))
        status->changed = os_time((uint64_t)basic.ChangeTime.QuadPart);
    return true;
}

bool tl_os_stat(tl_os_file folder, const char *path, bool follow_link, tl_os_status *status)
{
    const HANDLE handle = os_open_to_look(folder, path, follow_link);
    if (handle == INVALID_HANDLE_VALUE)
        return false;
    const bool ok = tl_os_stat_file((tl_os_file)handle, status);
    CloseHandle(handle);
    return ok;
}

/* ---- changes in a folder ---- */

bool tl_os_set_permissions(tl_os_file file, unsigned permissions)
{
    (void)file, (void)permissions;
    return true; /* a file has those of its folder */
}

bool tl_os_make_folder(tl_os_file folder, const char *name)
{
    wchar_t whole[OS_PATH_ROOM];
    return os_path_from(folder, name, whole) && os_done(CreateDirectoryW(whole, NULL));
}

bool tl_os_remove(tl_os_file folder, const char *name)
{
    wchar_t whole[OS_PATH_ROOM];
    return os_path_from(folder, name, whole) && os_done(DeleteFileW(whole));
}

bool tl_os_remove_folder(const char *path)
{
    wchar_t whole[OS_PATH_ROOM];
    return os_path_from(TL_OS_HERE, path, whole) && os_done(RemoveDirectoryW(whole));
}

bool tl_os_link(tl_os_file folder, const char *name, const char *second)
{
    wchar_t there[OS_PATH_ROOM], new_name[OS_PATH_ROOM];
    return os_path_from(folder, name, there) && os_path_from(folder, second, new_name) &&
           os_done(CreateHardLinkW(new_name, there, NULL));
}

bool tl_os_rename(tl_os_file folder, const char *from, const char *to)
{
    wchar_t there[OS_PATH_ROOM], new_name[OS_PATH_ROOM];
    return os_path_from(folder, from, there) && os_path_from(folder, to, new_name) &&
           os_done(MoveFileExW(there, new_name, MOVEFILE_REPLACE_EXISTING));
}

/* ---- the entries of a folder ---- */

struct tl_os_list {
    HANDLE find;
    bool fresh; /* the first entry has been found, and not been returned */
    WIN32_FIND_DATAW found;
    char name[3 * MAX_PATH + 1];
};

static tl_os_list *os_list(tl_os_file folder, const char *path)
{
    wchar_t whole[OS_PATH_ROOM];
    tl_os_list *list = malloc(sizeof *list);
    if (!list) {
        errno = ENOMEM;
        return NULL;
    }
    list->find = INVALID_HANDLE_VALUE;
    if (path ? os_path_from(folder, path, whole) : os_path_of((HANDLE)folder, whole, OS_PATH_ROOM)) {
        const size_t length = wcslen(whole);
        const bool slash = length > 0 && whole[length - 1] != L'\\';
        if (length + 3 < OS_PATH_ROOM) {
            wcscat(whole, slash ? L"\\*" : L"*");
            list->find = FindFirstFileW(whole, &list->found);
            if (list->find == INVALID_HANDLE_VALUE)
                os_keep_reason();
        } else {
            errno = ENAMETOOLONG;
        }
    }
    list->fresh = true;
    if (list->find != INVALID_HANDLE_VALUE)
        return list;
    free(list);
    return NULL;
}

tl_os_list *tl_os_list_folder(tl_os_file folder)
{
    return os_list(folder, NULL);
}

tl_os_list *tl_os_list_path(const char *path)
{
    return os_list(TL_OS_HERE, path);
}

const char *tl_os_list_next(tl_os_list *list)
{
    while (list->fresh || FindNextFileW(list->find, &list->found)) {
        list->fresh = false;
        const wchar_t *name = list->found.cFileName;
        if (wcscmp(name, L".") != 0 && wcscmp(name, L"..") != 0 && os_narrow(name, list->name, sizeof list->name))
            return list->name;
    }
    return NULL;
}

/* Wine does not return the tag of a link. */
bool tl_os_list_kind(tl_os_list *list, const char *name, tl_os_kind *kind)
{
    (void)name;
    const DWORD attributes = list->found.dwFileAttributes, tag = list->found.dwReserved0;
    const bool link = (attributes & FILE_ATTRIBUTE_REPARSE_POINT) && (tag == 0 || IsReparseTagNameSurrogate(tag));
    *kind = link ? TL_OS_KIND_LINK : attributes & FILE_ATTRIBUTE_DIRECTORY ? TL_OS_KIND_FOLDER : TL_OS_KIND_FILE;
    return true;
}

void tl_os_list_close(tl_os_list *list)
{
    if (list)
        FindClose(list->find);
    free(list);
}

/* ---- memory ---- */

/* Large pages take a privilege here. */
void tl_os_advise_large_pages(void *at, size_t size)
{
    (void)at, (void)size;
}

void tl_os_populate(void *at, size_t size)
{
    (void)at, (void)size;
}

/* ---- time, processes, threads ---- */

tl_os_time tl_os_now(void)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return os_time((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
}

uint64_t tl_os_process_id(void)
{
    return GetCurrentProcessId();
}

uint32_t tl_os_processor_count(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwNumberOfProcessors > 0 ? info.dwNumberOfProcessors : 1;
}

_Static_assert(sizeof(SRWLOCK) <= sizeof(tl_os_mutex), "a mutex has its room");
_Static_assert(sizeof(CONDITION_VARIABLE) <= sizeof(tl_os_condition), "a condition has its room");
_Static_assert(sizeof(HANDLE) <= sizeof(uint64_t), "a thread has its room");

void tl_os_mutex_init(tl_os_mutex *mutex)
{
    InitializeSRWLock((SRWLOCK *)mutex);
}

void tl_os_mutex_free(tl_os_mutex *mutex)
{
    (void)mutex;
}

void tl_os_mutex_lock(tl_os_mutex *mutex)
{
    AcquireSRWLockExclusive((SRWLOCK *)mutex);
}

void tl_os_mutex_unlock(tl_os_mutex *mutex)
{
    ReleaseSRWLockExclusive((SRWLOCK *)mutex);
}

void tl_os_condition_init(tl_os_condition *condition)
{
    InitializeConditionVariable((CONDITION_VARIABLE *)condition);
}

void tl_os_condition_free(tl_os_condition *condition)
{
    (void)condition;
}

void tl_os_condition_broadcast(tl_os_condition *condition)
{
    WakeAllConditionVariable((CONDITION_VARIABLE *)condition);
}

void tl_os_condition_wait(tl_os_condition *condition, tl_os_mutex *mutex, uint32_t milliseconds)
{
    SleepConditionVariableSRW((CONDITION_VARIABLE *)condition, (SRWLOCK *)mutex,
                              milliseconds > 0 ? milliseconds : INFINITE, 0);
}

static unsigned __stdcall os_thread_main(void *thread)
{
    const tl_os_thread *own = thread;
    own->run(own->user);
    return 0;
}

bool tl_os_thread_start(tl_os_thread *thread, void (*run)(void *user), void *user)
{
    enum { STACK = 8 << 20 }; /* as on Linux */
    thread->run = run;
    thread->user = user;
    thread->room =
        (uint64_t)_beginthreadex(NULL, STACK, os_thread_main, thread, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return thread->room != 0;
}

void tl_os_thread_join(tl_os_thread *thread)
{
    WaitForSingleObject((HANDLE)(uintptr_t)thread->room, INFINITE);
    CloseHandle((HANDLE)(uintptr_t)thread->room);
}

/* ---- signals ---- */

void tl_os_signals_hold(tl_os_signals *signals, tl_os_signal_set set)
{
    (void)signals, (void)set;
}

void tl_os_signals_release(tl_os_signals *signals)
{
    (void)signals;
}

bool tl_os_signals_pending(const tl_os_signals *signals, bool deadly)
{
    (void)signals, (void)deadly;
    return false;
}
#else
typedef int os_windows_is_not_here; /* a source file must not be empty */
#endif
