/*
 * A disk that fails on request, for Linux: preloaded into a process (LD_PRELOAD), it counts the calls that this process
 * makes on files below one folder and fails one of them, or all from there on. Everything else passes through.
 *
 *   FAULTY_DISK_FOLDER   the folder, an absolute path
 *   FAULTY_DISK_CONTROL  a file of sizeof(struct control) bytes that both sides map; see faulty-disk.ts
 *   FAULTY_DISK_SYNCED   a folder that gets a copy of each of those files as it is when it is synced: what a power failure
 *                        leaves at least
 *   FAULTY_DISK_LOCKS    locks on those files are all `refused` (ENOLCK), or `ignored`: granted to everyone
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  _Atomic int32_t calls;      /* made so far */
  _Atomic int32_t fail_at;    /* number of the call that fails, from 1; 0: none */
  _Atomic int32_t persistent; /* all later calls fail, too */
  _Atomic int32_t error;      /* errno */
  _Atomic int32_t torn;       /* a write that fails has written half of its bytes */
  _Atomic int32_t only_syncs; /* counts fsync and fdatasync alone */
  _Atomic int32_t failed;     /* how many calls have failed */
  _Atomic int32_t hold_syncs; /* fsync and fdatasync wait until this is 0 */
  _Atomic int32_t held;       /* how many of them have waited */
  char first[228];            /* the first call that failed */
};

#define MOST_FILES 4096

static struct control *control;
static const char *folder;
static const char *locks;
static const char *synced_folder;
static size_t folder_length;
/* What was opened, by descriptor; the inode tells when the number has gone to another file, for some close unseen. */
static struct { char name[48]; dev_t device; ino_t inode; } files[MOST_FILES];

static int identify(int descriptor, struct stat *status) {
  return (int)syscall(SYS_fstat, descriptor, status);
}

static void __attribute__((constructor)) start(void) {
  folder = getenv("FAULTY_DISK_FOLDER");
  const char *file = getenv("FAULTY_DISK_CONTROL");
  if (folder == NULL || file == NULL) return;
  folder_length = strlen(folder);
  locks = getenv("FAULTY_DISK_LOCKS");
  synced_folder = getenv("FAULTY_DISK_SYNCED");
  int (*real_open)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
  void *(*real_mmap)(void *, size_t, int, int, int, off_t) = dlsym(RTLD_NEXT, "mmap");
  int descriptor = real_open(file, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return;
  void *mapped = real_mmap(NULL, sizeof(struct control), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) control = mapped;
}

static const char *below(const char *path) {
  if (control == NULL || path == NULL || strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] != '/' && path[folder_length] != '\0') return NULL;
  return path + folder_length;
}

static int is_watched(int descriptor) {
  if (control == NULL || descriptor < 0 || descriptor >= MOST_FILES || files[descriptor].name[0] == '\0') return 0;
  struct stat status;
  int is_same = identify(descriptor, &status) == 0 && status.st_dev == files[descriptor].device &&
                status.st_ino == files[descriptor].inode;
  if (!is_same) files[descriptor].name[0] = '\0';
  return is_same;
}

/* Whether this call fails; errno is set then. */
static int fails(const char *call, const char *name) {
  if (control->only_syncs && strcmp(call, "fsync") != 0 && strcmp(call, "fdatasync") != 0) return 0;
  int number = atomic_fetch_add(&control->calls, 1) + 1;
  int at = control->fail_at;
  if (at == 0 || number < at || (number > at && !control->persistent)) return 0;
  /* Locks live in memory, and a disk that has died does not take them along. */
  if (number > at && strcmp(call, "lock") == 0) return 0;
  if (atomic_fetch_add(&control->failed, 1) == 0) snprintf(control->first, sizeof control->first, "%s %s", call, name);
  errno = control->error;
  return 1;
}

static int opened(int descriptor, const char *name) {
  struct stat status;
  if (name == NULL || descriptor < 0 || descriptor >= MOST_FILES || identify(descriptor, &status) != 0) return descriptor;
  snprintf(files[descriptor].name, sizeof files[descriptor].name, "%s", name[0] == '\0' ? "/" : name);
  files[descriptor].device = status.st_dev;
  files[descriptor].inode = status.st_ino;
  return descriptor;
}

#define REAL(type, name, ...) \
  static type (*real)(__VA_ARGS__); \
  if (real == NULL) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

#define OPEN(symbol) \
  int symbol(const char *path, int flags, ...) { \
    REAL(int, #symbol, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    const char *name = below(path); \
    if (name != NULL && fails("open", name)) return -1; \
    return opened(real(path, flags, mode), name); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(symbol) \
  int symbol(int at, const char *path, int flags, ...) { \
    REAL(int, #symbol, int, const char *, int, ...); \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0; \
    va_end(arguments); \
    const char *name = below(path); \
    if (name != NULL && fails("open", name)) return -1; \
    return opened(real(at, path, flags, mode), name); \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int descriptor) {
  REAL(int, "close", int);
  if (!is_watched(descriptor)) return real(descriptor);
  int failing = fails("close", files[descriptor].name);
  int error = errno;
  files[descriptor].name[0] = '\0';
  int result = real(descriptor);
  errno = error;
  return failing ? -1 : result;
}

#define ON_FILE(type, symbol, call, parameters, arguments, types) \
  type symbol parameters { \
    REAL(type, #symbol, types); \
    if (is_watched(descriptor) && fails(call, files[descriptor].name)) return (type)-1; \
    return real arguments; \
  }
#define TYPES(...) __VA_ARGS__
ON_FILE(ssize_t, read, "read", (int descriptor, void *to, size_t size), (descriptor, to, size), TYPES(int, void *, size_t))
ON_FILE(ssize_t, pread, "read", (int descriptor, void *to, size_t size, off_t at), (descriptor, to, size, at), TYPES(int, void *, size_t, off_t))
ON_FILE(ssize_t, pread64, "read", (int descriptor, void *to, size_t size, off64_t at), (descriptor, to, size, at), TYPES(int, void *, size_t, off64_t))
ON_FILE(int, ftruncate, "ftruncate", (int descriptor, off_t size), (descriptor, size), TYPES(int, off_t))
ON_FILE(int, ftruncate64, "ftruncate", (int descriptor, off64_t size), (descriptor, size), TYPES(int, off64_t))

/* The contents of a file before it is synced, which are on disk afterwards; NULL if they are not wanted. */
static char *contents_of(int descriptor, size_t *size) {
  struct stat status;
  if (synced_folder == NULL || identify(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  char *contents = malloc((size_t)status.st_size + 1);
  long count = contents == NULL ? -1 : syscall(SYS_pread64, descriptor, contents, (size_t)status.st_size, 0);
  *size = count < 0 ? 0 : (size_t)count;
  return contents;
}

static void keep_copy(const char *name, const char *contents, size_t size) {
  static _Atomic int32_t copies;
  char draft[512], path[512];
  snprintf(draft, sizeof draft, "%s/draft-%d", synced_folder, atomic_fetch_add(&copies, 1));
  snprintf(path, sizeof path, "%s%s", synced_folder, name);
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, draft, O_CREAT | O_WRONLY | O_TRUNC, 0600);
  if (descriptor < 0) return;
  long written = syscall(SYS_write, descriptor, contents, size);
  syscall(SYS_close, descriptor);
  if (written == (long)size) syscall(SYS_renameat2, AT_FDCWD, draft, AT_FDCWD, path, 0);
}

#define SYNC(symbol) \
  int symbol(int descriptor) { \
    REAL(int, #symbol, int); \
    if (!is_watched(descriptor)) return real(descriptor); \
    if (control->hold_syncs) atomic_fetch_add(&control->held, 1); \
    while (control->hold_syncs) usleep(1000); \
    char name[48]; \
    snprintf(name, sizeof name, "%s", files[descriptor].name); \
    if (fails(#symbol, name)) return -1; \
    size_t size = 0; \
    char *contents = contents_of(descriptor, &size); \
    int result = real(descriptor); \
    if (contents != NULL && result == 0) keep_copy(name, contents, size); \
    free(contents); \
    return result; \
  }
SYNC(fsync)
SYNC(fdatasync)

#define WRITE(symbol, parameters, half, whole, types) \
  ssize_t symbol parameters { \
    REAL(ssize_t, #symbol, types); \
    if (is_watched(descriptor) && fails("write", files[descriptor].name)) { \
      int error = errno; \
      if (control->torn) (void)!real half; \
      errno = error; \
      return -1; \
    } \
    return real whole; \
  }
WRITE(write, (int descriptor, const void *from, size_t size), (descriptor, from, size / 2), (descriptor, from, size), TYPES(int, const void *, size_t))
WRITE(pwrite, (int descriptor, const void *from, size_t size, off_t at), (descriptor, from, size / 2, at), (descriptor, from, size, at), TYPES(int, const void *, size_t, off_t))
WRITE(pwrite64, (int descriptor, const void *from, size_t size, off64_t at), (descriptor, from, size / 2, at), (descriptor, from, size, at), TYPES(int, const void *, size_t, off64_t))
WRITE(writev, (int descriptor, const struct iovec *from, int count), (descriptor, from, count / 2), (descriptor, from, count), TYPES(int, const struct iovec *, int))
WRITE(pwritev, (int descriptor, const struct iovec *from, int count, off_t at), (descriptor, from, count / 2, at), (descriptor, from, count, at), TYPES(int, const struct iovec *, int, off_t))
WRITE(pwritev64, (int descriptor, const struct iovec *from, int count, off64_t at), (descriptor, from, count / 2, at), (descriptor, from, count, at), TYPES(int, const struct iovec *, int, off64_t))

#define MAP(symbol, offset) \
  void *symbol(void *address, size_t size, int protection, int flags, int descriptor, offset at) { \
    REAL(void *, #symbol, void *, size_t, int, int, int, offset); \
    if (is_watched(descriptor) && fails("mmap", files[descriptor].name)) return MAP_FAILED; \
    return real(address, size, protection, flags, descriptor, at); \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)

/* A file system without locks. */
static int set_lock_aside(int command, struct flock *lock) {
  if (strcmp(locks, "ignored") == 0) {
    if (command == F_GETLK) lock->l_type = F_UNLCK;
    return 0;
  }
  errno = ENOLCK;
  return -1;
}

#define CONTROL(symbol) \
  int symbol(int descriptor, int command, ...) { \
    REAL(int, #symbol, int, int, ...); \
    va_list arguments; \
    va_start(arguments, command); \
    void *argument = va_arg(arguments, void *); \
    va_end(arguments); \
    int is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK; \
    if (locks != NULL && is_lock && is_watched(descriptor)) return set_lock_aside(command, argument); \
    int takes = (command == F_SETLK || command == F_SETLKW) && ((struct flock *)argument)->l_type != F_UNLCK; \
    if (takes && is_watched(descriptor) && fails("lock", files[descriptor].name)) return -1; \
    return real(descriptor, command, argument); \
  }
CONTROL(fcntl)
CONTROL(fcntl64)

#define ON_PATH(symbol, call, parameters, arguments, types, path) \
  int symbol parameters { \
    REAL(int, #symbol, types); \
    const char *name = below(path); \
    if (name != NULL && fails(call, name)) return -1; \
    return real arguments; \
  }
ON_PATH(unlink, "unlink", (const char *path), (path), TYPES(const char *), path)
ON_PATH(rename, "rename", (const char *from, const char *to), (from, to), TYPES(const char *, const char *), to)
ON_PATH(mkdir, "mkdir", (const char *path, mode_t mode), (path, mode), TYPES(const char *, mode_t), path)
ON_PATH(access, "access", (const char *path, int mode), (path, mode), TYPES(const char *, int), path)
ON_PATH(stat, "stat", (const char *path, struct stat *to), (path, to), TYPES(const char *, struct stat *), path)
ON_PATH(stat64, "stat", (const char *path, struct stat64 *to), (path, to), TYPES(const char *, struct stat64 *), path)
ON_PATH(lstat, "stat", (const char *path, struct stat *to), (path, to), TYPES(const char *, struct stat *), path)
ON_PATH(lstat64, "stat", (const char *path, struct stat64 *to), (path, to), TYPES(const char *, struct stat64 *), path)
ON_FILE(int, fstat, "stat", (int descriptor, struct stat *to), (descriptor, to), TYPES(int, struct stat *))
ON_FILE(int, fstat64, "stat", (int descriptor, struct stat64 *to), (descriptor, to), TYPES(int, struct stat64 *))

/* What programs built against an older C library call instead. */
ON_PATH(__xstat64, "stat", (int version, const char *path, struct stat64 *to), (version, path, to), TYPES(int, const char *, struct stat64 *), path)
ON_PATH(__lxstat64, "stat", (int version, const char *path, struct stat64 *to), (version, path, to), TYPES(int, const char *, struct stat64 *), path)
ON_FILE(int, __fxstat64, "stat", (int version, int descriptor, struct stat64 *to), (version, descriptor, to), TYPES(int, int, struct stat64 *))
