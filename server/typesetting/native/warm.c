/*
 * Warm engines: a library that is loaded into xelatex, pdflatex or xdvipdfmx and turns it into a tree of processes that
 * can go on from any line they have already read.
 *
 * The document (main.tex; for xdvipdfmx main.xdv) becomes a stream that is handed over line by line. When the engine
 * asks for the line at byte X, its state comes from the first X bytes and the files it looked at, and from nothing else.
 * There it can fork and leave a frozen copy of itself, a snapshot, in a slot. A command to that slot forks the snapshot
 * again: the new process takes its output files along into a folder of its own and reads on, from X, in the new text.
 *
 * Descriptors: 4 takes our answers; 5 + slot gives the commands of that slot. Slot 0 is the blank engine at X = 0.
 *   run RUN FOLDER CPU EVERY PREVIEW SLOTS MARK MARK MARK MARK   go on in FOLDER as run RUN, for at most CPU seconds;
 *       leave snapshots in SLOTS (a bit each, hexadecimal): at the first line at or behind each MARK (rising; -1: none),
 *       else after EVERY ms of CPU time. PREVIEW: when a page has been shipped behind this offset (-1: never), a copy in
 *       FOLDERp sees the end of the file
 *   stop   end the run that was started here       end   end this snapshot
 * Answers: ready | look RUN NAME | snap RUN SLOT OFFSET | preview RUN | exit RUN STATUS MILLISECONDS | ended SLOT
 * `look` names a file of the run's folder that the engine sought, there or not; ? stands for a name not worth writing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWERS = 4, COMMANDS = 5, MARKS = 4, FILES = 60, NAME = 300, LAST_ENGINE_FD = 127, KEPT_FD = 128 };
/* a process that has grown beyond this leaves no more copies of itself */
enum { MAX_SNAPSHOT_KB = 700000 };

/* a file the engine opened: `fd` is its own descriptor, `kept` ours on the same file (written ones) */
struct file { char name[NAME]; int fd, kept; bool written, open; dev_t dev; ino_t ino; off_t size, place; };

static FILE *(*real_fopen)(const char *, const char *);
static int (*real_open)(const char *, int, ...);
static int (*real_access)(const char *, int);
static enum { OFF, ENGINE, DRIVER } role;
static char base[400];
static struct file files[FILES];
static int file_count;
static bool cannot_freeze;
static char *text;
static long text_size, offset, preview_after = -1, pages_at_edit;
static long pages, run_id;
static bool has_opened, is_midline, is_preview;
static unsigned free_slots;
static long marks[MARKS], every_ms, last_ms;
static char run_folder[32];

static long cpu_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the engine's files ---- */

/* the name of a file in the run's own folder, or NULL */
static const char *local_name(const char *path) {
  while (path[0] == '.' && path[1] == '/') path += 2;
  return path[0] == 0 || strchr(path, '/') ? NULL : path;
}

static void remember(int fd, const char *path, bool written) {
  struct stat found;
  if (fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return;
  if (fd > LAST_ENGINE_FD || strlen(path) >= NAME) { cannot_freeze = true; return; }
  struct file *entry = NULL;
  /* a descriptor that is used again makes its former reader's entry void; what was written stays part of the run */
  for (int i = 0; i < file_count && !entry; i++) if (!files[i].written && files[i].fd == fd) entry = &files[i];
  if (!entry) {
    if (file_count == FILES) { cannot_freeze = true; return; }
    entry = &files[file_count++];
  }
  *entry = (struct file){ .fd = fd, .kept = -1, .written = written, .dev = found.st_dev, .ino = found.st_ino };
  memcpy(entry->name, path, strlen(path));
  if (written && (entry->kept = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FD)) < 0) cannot_freeze = true;
}

/* before a file is written anew its old content goes its own way: a snapshot may still need it */
static void detach(const char *path) {
  const char *name = local_name(path);
  if (!name || real_access(path, W_OK)) return;
  unlink(path);
  for (int i = 0; i < file_count; i++) {
    if (!files[i].written || strcmp(local_name(files[i].name), name)) continue;
    close(files[i].kept);
    files[i] = files[--file_count];
    return;
  }
}

/* where every file stands now */
static void note_places(void) {
  for (int i = 0; i < file_count; i++) {
    struct file *f = &files[i];
    struct stat now;
    f->open = !fstat(f->fd, &now) && now.st_dev == f->dev && now.st_ino == f->ino;
    f->place = f->open ? lseek(f->fd, 0, SEEK_CUR) : 0;
    f->size = f->kept >= 0 && !fstat(f->kept, &now) ? now.st_size : 0;
  }
}

/* in the new folder: written files as they stood, read files at their place, each with an offset of its own */
static void take_files_along(void) {
  for (int i = 0; i < file_count; i++) {
    struct file *f = &files[i];
    struct stat now;
    if (!f->written && !f->open) continue;
    if (f->written) unlink(f->name);
    int fd = real_open(f->name, f->written ? O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0644);
    if (fd < 0) _exit(112);
    for (off_t from = 0; f->written && from < f->size;) {
      char block[65536];
      ssize_t size = pread(f->kept, block, f->size - from < (off_t)sizeof block ? f->size - from : (off_t)sizeof block, from);
      if (size <= 0 || write(fd, block, size) != size) _exit(113);
      from += size;
    }
    if (f->open && (lseek(fd, f->place, SEEK_SET) < 0 || dup2(fd, f->fd) < 0)) _exit(114);
    if (f->written && dup3(fd, f->kept, O_CLOEXEC) < 0) _exit(115);
    close(fd);
    if (!fstat(f->written ? f->kept : f->fd, &now)) { f->dev = now.st_dev; f->ino = now.st_ino; }
  }
}

static bool load(const char *name) {
  int fd = real_open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  struct stat found;
  if (fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return false;
  free(text);
  text_size = 0;
  if (!(text = malloc(found.st_size + 1))) return false;
  for (ssize_t size; text_size < found.st_size && (size = read(fd, text + text_size, found.st_size - text_size)) > 0;) text_size += size;
  close(fd);
  return true;
}

/* ---- snapshots ---- */

static void on_child(int number) { (void)number; }

/* becomes the run that a command asks for; false when the command is not understood */
static bool read_run(const char *command, long *cpu) {
  return sscanf(command, "run %ld %31[a-z0-9] %ld %ld %ld %x %ld %ld %ld %ld", &run_id, run_folder, cpu, &every_ms,
                &preview_after, &free_slots, &marks[0], &marks[1], &marks[2], &marks[3]) == 10;
}

static void begin_run(long cpu) {
  char folder[500];
  struct rlimit limit = { cpu, cpu + 1 };
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  snprintf(folder, sizeof folder, "%s/%s", base, run_folder);
  if (chdir(folder)) _exit(110);
  take_files_along();
  if (!load(role == DRIVER ? "main.xdv" : "main.tex") || offset > text_size) _exit(111);
  if (role == DRIVER) {
    int fd = real_open("driver.err", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0) dup2(fd, 2);
  }
  setrlimit(RLIMIT_CPU, &limit);
  pages_at_edit = -1;
  last_ms = cpu_ms();
}

/* stays frozen in a slot and serves its commands; returns only in a process that has become a run */
static void serve(int slot) {
  char buffer[1024];
  int length = 0;
  pid_t child = 0;
  sigset_t blocked, before, none;
  struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART }, old;
  sigemptyset(&none);
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigaction(SIGCHLD, &action, &old);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  if (slot == 0) dprintf(ANSWERS, "ready\n");
  for (;;) {
    int status;
    struct rusage used;
    for (pid_t pid; (pid = wait4(-1, &status, WNOHANG, &used)) > 0;) {
      if (pid != child) continue;
      child = 0;
      dprintf(ANSWERS, "exit %ld %d %ld\n", run_id, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
          (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000L + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
    }
    struct pollfd poll_for = { .fd = COMMANDS + slot, .events = POLLIN };
    if (ppoll(&poll_for, 1, NULL, &none) < 0) continue;
    ssize_t size = read(COMMANDS + slot, buffer + length, sizeof buffer - 1 - length);
    if (size <= 0) _exit(0);
    length += size;
    buffer[length] = 0;
    for (char *end; (end = strchr(buffer, '\n')); memmove(buffer, end + 1, length + 1)) {
      long cpu;
      *end = 0;
      length -= (int)(end + 1 - buffer);
      if (!strcmp(buffer, "stop") && child > 0) kill(child, SIGKILL);
      if (!strcmp(buffer, "end")) { dprintf(ANSWERS, "ended %d\n", slot); _exit(0); }
      if (child > 0 || !read_run(buffer, &cpu)) continue;
      if ((child = fork()) == 0) {
        sigaction(SIGCHLD, &old, NULL);
        sigprocmask(SIG_SETMASK, &before, NULL);
        begin_run(cpu);
        return;
      }
      if (child < 0) { child = 0; dprintf(ANSWERS, "exit %ld 116 0\n", run_id); }
    }
    if (length == (int)sizeof buffer - 1) _exit(117);
  }
}

static void freeze(int slot) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  if (cannot_freeze || used.ru_maxrss > MAX_SNAPSHOT_KB) return;
  fflush(NULL);
  note_places();
  pid_t copy = fork();
  if (copy == 0) {
    prctl(PR_SET_PDEATHSIG, 0);
    /* by itself: the run may be ended in this moment, and nobody would know of the copy */
    dprintf(ANSWERS, "snap %ld %d %ld\n", run_id, slot, offset);
    serve(slot);
  }
  last_ms = cpu_ms();
}

/* a copy of the run that sees the end of its text here, so that what is set so far can be shown */
static void fork_preview(void) {
  char folder[500];
  preview_after = -1;
  if (cannot_freeze) return;
  fflush(NULL);
  note_places();
  pid_t run = getpid();
  if (fork() != 0) return;
  is_preview = true;
  /* never longer than the run: edits that follow each other fast would leave many copies, each as endless as it likes */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != run) _exit(0);
  alarm(10);
  snprintf(folder, sizeof folder, "%s/%sp", base, run_folder);
  if (chdir(folder)) _exit(110);
  take_files_along();
}

/* the engine asks for the next line */
static void at_line(void) {
  if (run_id == 0) {
    fflush(NULL);
    note_places();
    serve(0);
    return;
  }
  if (is_preview) return;
  if (preview_after >= 0 && offset >= preview_after) {
    if (pages_at_edit < 0) pages_at_edit = pages;
    else if (pages > pages_at_edit) fork_preview();
    if (is_preview) return;
  }
  bool is_due = free_slots != 0 && cpu_ms() - last_ms >= every_ms;
  for (int i = 0; i < MARKS; i++) if (marks[i] >= 0 && offset >= marks[i]) is_due = (marks[i] = -1);
  if (!is_due || free_slots == 0) return;
  int slot = __builtin_ctz(free_slots);
  free_slots &= free_slots - 1;
  freeze(slot);
}

static ssize_t read_text(void *cookie, char *buffer, size_t size) {
  (void)cookie;
  if (!is_midline) at_line();
  if (is_preview || offset >= text_size) return 0;
  size_t left = text_size - offset, count = left < size ? left : size;
  if (role == ENGINE) {
    char *end = memchr(text + offset, '\n', count);
    if (end) count = end + 1 - (text + offset);
    is_midline = !end;
  } else is_midline = true;
  memcpy(buffer, text + offset, count);
  offset += count;
  return count;
}

/* the engines only ever go back to the start, when they have looked for a byte order mark */
static int seek_text(void *cookie, off64_t *place, int whence) {
  (void)cookie;
  if (whence != SEEK_SET || *place != 0) return -1;
  is_midline = offset > 0;
  offset = 0;
  return 0;
}

/* what TeX tells the terminal is only looked at for `[12`: a page that is shipped */
static ssize_t read_terminal(void *cookie, const char *buffer, size_t size) {
  static bool is_bracket;
  (void)cookie;
  for (size_t i = 0; i < size; i++) {
    if (is_bracket && buffer[i] >= '0' && buffer[i] <= '9') pages++;
    is_bracket = buffer[i] == '[';
  }
  return size;
}

/* ---- what the engine calls ---- */

FILE *fopen(const char *path, const char *mode) {
  const char *name = role == ENGINE ? local_name(path) : NULL;
  if (mode[0] == 'r') {
    if (name && !has_opened && !strcmp(name, "main.tex")) {
      has_opened = true;
      return fopencookie(NULL, mode, (cookie_io_functions_t){ .read = read_text, .seek = seek_text });
    }
    FILE *file = real_fopen(path, mode);
    if (file && role == ENGINE) remember(fileno(file), path, false);
    return file;
  }
  if (role == ENGINE && !name) cannot_freeze = true;
  if (role == OFF || (role == ENGINE && (!name || mode[0] != 'w'))) return real_fopen(path, mode);
  detach(path);
  FILE *file = real_fopen(path, strchr(mode, 'b') ? "w+b" : "w+");
  if (file) remember(fileno(file), path, true);
  return file;
}
FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  bool is_own = role == ENGINE && (flags & O_CREAT) && local_name(path);
  if (is_own) {
    detach(path);
    flags = (flags & ~O_ACCMODE) | O_RDWR;
  }
  int fd = real_open(path, flags, mode);
  if (is_own) remember(fd, path, true);
  return fd;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int access(const char *path, int mode) {
  if (role == ENGINE && run_id > 0 && !is_preview && path[0] != '/') {
    const char *name = local_name(path);
    bool is_plain = name && strlen(name) < 100 && name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")] == 0;
    dprintf(ANSWERS, "look %ld %s\n", run_id, is_plain ? name : "?");
  }
  return real_access(path, mode);
}

__attribute__((constructor)) static void begin(void) {
  real_fopen = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  real_access = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");
  const char *wanted = getenv("INKPROOF_WARM");
  if (!wanted || !getcwd(base, sizeof base)) return;
  unsetenv("LD_PRELOAD");
  role = strcmp(wanted, "driver") ? ENGINE : DRIVER;
  cookie_io_functions_t input = { .read = read_text, .seek = seek_text }, terminal = { .write = read_terminal };
  if (role == DRIVER) stdin = fopencookie(NULL, "r", input);
  else stdout = fopencookie(NULL, "w", terminal);
}

/* exit() of a preview: everything it wrote is complete */
__attribute__((destructor)) static void finish(void) {
  if (!is_preview) return;
  fflush(NULL);
  dprintf(ANSWERS, "preview %ld\n", run_id);
}
