/*
 * Warm engines: a library that is loaded into xelatex, pdflatex or xdvipdfmx and turns it into a tree of processes that
 * can resume from any line they have already read.
 *
 * The document (main.tex; for xdvipdfmx main.xdv) becomes a stream that is delivered line by line. When the engine
 * asks for the line at byte X, its state depends only on the first X bytes and the files it looked at. There it can fork
 * and leave a frozen copy of itself, a snapshot, in a slot. A command to that slot forks the snapshot again: the new
 * process takes its output files along into its own folder and reads on, from X, in the new text. Descriptor 4 carries
 * our answers, 5 + slot that slot's commands: fork-server/protocol.ts describes them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ANSWERS = 4, COMMANDS = 5, MARKS = 4, FILES = 60, NAME = 300, LAST_ENGINE_FD = 127, KEPT_FD = 128,
       LARGE_PAGE = 2 << 20, MAX_SNAPSHOT_KB = 700000 /* a larger process leaves no more copies of itself */ };

extern void *__libc_malloc(size_t);

struct file { /* opened by the engine: `fd` is its own descriptor, `kept` ours on the same file (written ones) */
  char name[NAME]; int fd, kept; bool written, open; dev_t dev; ino_t ino; off_t size, place; };

static FILE *(*real_fopen)(const char *, const char *);
static int (*real_open)(const char *, int, ...), (*real_access)(const char *, int);
static enum { OFF, ENGINE, DRIVER } role;
static char base[400], run_folder[32], *text = MAP_FAILED;
static struct file files[FILES];
static unsigned file_count, free_slots;
static bool cannot_freeze, has_opened, is_midline, is_preview;
static long run_id, text_size, offset, pages, pages_at_edit, preview_after, marks[MARKS], every_ms, last_ms;
static volatile sig_atomic_t is_interrupted;
static void (*engine_interrupt)(int) = SIG_DFL;

/* names looked for, collected until the next answer of another kind: reported one by one, they would
   wake the host a hundred times a page */
static char looks[2048];
static size_t looks_length;

static void tell_looks(void) {
  if (looks_length > 0 && write(ANSWERS, looks, looks_length) != (ssize_t)looks_length) _exit(118);
  looks_length = 0;
}

/* the name of a file in the run's own folder or one below it, or NULL: with `..` or `//` it would be another's second name */
static const char *local_name(const char *path) {
  while (path[0] == '.' && path[1] == '/') path += 2;
  bool is_below = strchr(path, '/') != NULL;
  for (const char *part = path;; part = strchr(part, '/') + 1) {
    if (part[0] == 0 || part[0] == '/' || (is_below && part[0] == '.')) return NULL;
    if (!strchr(part, '/')) return path;
  }
}

static void remember(int fd, const char *path, bool written) {
  struct stat found;
  unsigned i = 0;
  if (fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode)) return;
  /* a reused descriptor invalidates its former reader's entry; written files stay part of the run */
  while (i < file_count && (files[i].written || files[i].fd != fd)) i++;
  if (fd > LAST_ENGINE_FD || strlen(path) >= NAME || i == FILES) { cannot_freeze = true; return; }
  if (i == file_count) file_count++;
  files[i] = (struct file){ .fd = fd, .kept = -1, .written = written, .dev = found.st_dev, .ino = found.st_ino };
  strcpy(files[i].name, path);
  if (written && (files[i].kept = fcntl(fd, F_DUPFD_CLOEXEC, KEPT_FD)) < 0) cannot_freeze = true;
}

/* a file to be overwritten is first detached from its old content, which a snapshot or the next run may still need */
static void detach(const char *path) {
  if (real_access(path, F_OK)) return;
  unlink(path);
  for (unsigned i = 0; i < file_count; i++) {
    if (!files[i].written || strcmp(local_name(files[i].name), local_name(path))) continue;
    close(files[i].kept);
    files[i] = files[--file_count];
    return;
  }
}

/* before a fork: everything is flushed to the files, and their positions are known */
static void settle_files(void) {
  fflush(NULL);
  for (unsigned i = 0; i < file_count; i++) {
    struct file *f = &files[i];
    struct stat now;
    f->open = !fstat(f->fd, &now) && now.st_dev == f->dev && now.st_ino == f->ino;
    f->place = f->open ? lseek(f->fd, 0, SEEK_CUR) : 0;
    f->size = f->kept >= 0 && !fstat(f->kept, &now) ? now.st_size : 0;
  }
}

/* enters a folder with the written files as they were and the read ones at their position, each with its own offset */
static void move_to(const char *end) {
  char folder[sizeof base + sizeof run_folder + 4], block[65536];
  snprintf(folder, sizeof folder, "%s/%s%s", base, run_folder, end);
  if (chdir(folder)) _exit(110);
  for (unsigned i = 0; i < file_count; i++) {
    struct file *f = &files[i];
    struct stat now;
    if (!f->written && !f->open) continue;
    if (f->written) unlink(f->name);
    int fd = real_open(f->name, f->written ? O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0644);
    if (fd < 0) _exit(112);
    for (off_t from = 0, left; f->written && (left = f->size - from) > 0;) {
      ssize_t size = pread(f->kept, block, left < (off_t)sizeof block ? left : (off_t)sizeof block, from);
      if (size <= 0 || write(fd, block, size) != size) _exit(113);
      from += size;
    }
    if (f->open && (lseek(fd, f->place, SEEK_SET) < 0 || dup2(fd, f->fd) < 0)) _exit(114);
    if (f->written && dup3(fd, f->kept, O_CLOEXEC) < 0) _exit(115);
    if (!fstat(fd, &now)) { f->dev = now.st_dev; f->ino = now.st_ino; }
    close(fd);
  }
}

/* exit() of a run: everything it wrote is complete, though the process itself still takes a while to end */
static void finish(int status, void *) {
  fflush(NULL);
  if (!is_preview) tell_looks();
  if (run_id > 0) dprintf(ANSWERS, "%s %ld %d %ld\n", is_preview ? "preview" : "done", run_id, status, clock() / 1000);
}

/* TeX sets a flag and ends when it next checks it; from here on its copies would inherit the flag */
static void interrupt(int number) {
  is_interrupted = true;
  if (engine_interrupt == SIG_DFL || engine_interrupt == SIG_IGN) _exit(128 + number);
  engine_interrupt(number);
}

/* TeX's input when it is interrupted and asks the terminal what to do: x ends the document with the pages so far */
static void answer_interrupts(void) {
  int answer[2];
  void (*known)(int) = signal(SIGINT, interrupt);
  if (known != interrupt) engine_interrupt = known;
  if (role != ENGINE || pipe(answer)) return;
  if (write(answer[1], "x\n", 2) != 2 || dup2(answer[0], 0) < 0) _exit(110);
  close(answer[0]);
  close(answer[1]);
}

/* called in a process just forked from a snapshot */
static void begin_run(long cpu) {
  struct rlimit limit; struct stat found;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  answer_interrupts();
  move_to("");
  int fd = real_open(role == DRIVER ? "main.xdv" : "main.tex", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0 || fstat(fd, &found) || !S_ISREG(found.st_mode) || offset > found.st_size) _exit(111);
  if (text != MAP_FAILED) munmap(text, text_size + 1);
  text_size = found.st_size;
  if ((text = mmap(NULL, text_size + 1, PROT_READ, MAP_PRIVATE, fd, 0)) == MAP_FAILED) _exit(111);
  close(fd);
  int errors = role == DRIVER ? real_open("driver.err", O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644) : -1;
  if (errors >= 0) dup2(errors, 2);
  /* only the soft limit: a lower hard one would bind every copy this run leaves, and theirs */
  if (!getrlimit(RLIMIT_CPU, &limit)) setrlimit(RLIMIT_CPU, &(struct rlimit){ cpu, limit.rlim_max });
  pages_at_edit = -1;
  last_ms = clock() / 1000;
}

/* stays frozen in a slot and serves its commands; returns only in a process that has become a run */
static void serve(int slot) {
  char buffer[1024];
  int length = 0, status;
  long cpu;
  pid_t child = 0;
  struct rusage used;
  struct pollfd watched[2] = { { .fd = COMMANDS + slot, .events = POLLIN }, { .fd = -1, .events = POLLIN } };
  dprintf(ANSWERS, "ready %d\n", slot);
  for (;;) {
    if (poll(watched, 2, -1) < 0) continue;
    if (watched[1].fd >= 0 && watched[1].revents && wait4(child, &status, 0, &used) == child) {
      close(watched[1].fd);
      child = watched[1].fd = -1;
      dprintf(ANSWERS, "exit %ld %d %ld\n", run_id, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
              (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000);
    }
    if (!watched[0].revents) continue;
    ssize_t size = read(watched[0].fd, buffer + length, sizeof buffer - 1 - length);
    if (size <= 0) _exit(0);
    length += size;
    buffer[length] = 0;
    for (char *end; (end = strchr(buffer, '\n')); memmove(buffer, end + 1, length + 1)) {
      *end = 0;
      length -= (int)(end + 1 - buffer);
      if (!strcmp(buffer, "interrupt") && child > 0) kill(child, SIGINT);
      if (!strcmp(buffer, "stop") && child > 0) kill(child, SIGKILL);
      if (!strcmp(buffer, "end")) { dprintf(ANSWERS, "ended %d\n", slot); _exit(0); }
      if (child > 0 || sscanf(buffer, "run %ld %31[a-z0-9] %ld %ld %ld %x %ld %ld %ld %ld", &run_id, run_folder, &cpu, &every_ms,
                              &preview_after, &free_slots, &marks[0], &marks[1], &marks[2], &marks[3]) != 10) continue;
      if ((child = fork()) == 0) { begin_run(cpu); return; }
      if (child > 0) watched[1].fd = syscall(SYS_pidfd_open, child, 0);
      if (child < 0 || watched[1].fd < 0) { dprintf(ANSWERS, "exit %ld 116 0\n", run_id); _exit(116); }
    }
    if (length == (int)sizeof buffer - 1) _exit(117);
  }
}

static void freeze(int slot) {
  struct rusage used;
  sigset_t held, before;
  getrusage(RUSAGE_SELF, &used);
  if (cannot_freeze || used.ru_maxrss > MAX_SNAPSHOT_KB) return;
  settle_files();
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigprocmask(SIG_BLOCK, &held, &before);
  bool is_allowed = !is_interrupted;
  /* announced before it exists: if the run is ended at this moment, the slot must not be given to another */
  tell_looks();
  if (is_allowed) dprintf(ANSWERS, "snap %ld %d %ld\n", run_id, slot, offset);
  pid_t copy = is_allowed ? fork() : -1;
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (copy == 0) serve(slot);
  if (copy < 0 && is_allowed) dprintf(ANSWERS, "ended %d\n", slot);
  last_ms = clock() / 1000;
}

/* a copy of the run that sees the end of its text here, so that what is typeset so far can be shown */
static void fork_preview(void) {
  pid_t run = getpid();
  preview_after = -1;
  if (cannot_freeze) return;
  settle_files();
  if (fork() != 0) return;
  is_preview = true;
  /* never longer than the run: otherwise fast edits would leave many copies, each possibly endless */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != run) _exit(0);
  alarm(10);
  move_to("p");
}

/* the engine asks for the next line */
static void at_line(void) {
  if (run_id == 0) { settle_files(); serve(0); return; }
  if (preview_after >= 0 && offset >= preview_after) {
    if (pages_at_edit < 0) pages_at_edit = pages;
    else if (pages > pages_at_edit) fork_preview();
  }
  bool is_due = clock() / 1000 - last_ms >= every_ms;
  for (int i = 0; i < MARKS; i++) if (marks[i] >= 0 && offset >= marks[i]) is_due = (marks[i] = -1);
  if (is_preview || !is_due || free_slots == 0) return;
  int slot = __builtin_ctz(free_slots);
  free_slots &= free_slots - 1;
  freeze(slot);
}

static ssize_t read_text(void *, char *buffer, size_t size) {
  if (!is_midline && !is_preview) at_line();
  if (is_preview || offset >= text_size) return 0;
  size_t left = text_size - offset, count = left < size ? left : size;
  char *end = role == ENGINE ? memchr(text + offset, '\n', count) : NULL;
  if (end) count = end + 1 - (text + offset);
  is_midline = !end;
  /* XDV has no lines: xdvipdfmx can stop at any byte */
  for (int i = 0; i < MARKS && role == DRIVER; i++)
    if (marks[i] > offset && marks[i] - offset <= (long)count) { count = marks[i] - offset; is_midline = false; }
  memcpy(buffer, text + offset, count);
  offset += count;
  return count;
}

/* the engines only ever seek back to the start, after looking for a byte order mark */
static int seek_text(void *, off64_t *place, int whence) {
  if (whence != SEEK_SET || *place != 0) return -1;
  is_midline = offset > 0;
  offset = 0;
  return 0;
}

/* TeX's terminal output is only searched for `[12`: a shipped page */
static ssize_t read_terminal(void *, const char *buffer, size_t size) {
  static bool is_bracket;
  for (size_t i = 0; i < size; is_bracket = buffer[i++] == '[')
    if (is_bracket && buffer[i] >= '0' && buffer[i] <= '9') pages++;
  return size;
}

/*
 * TeX's arrays in large pages: a fork copies a few hundred entries of the page table instead of 46,000. Not by
 * glibc.malloc.hugetlb, which asks /sys whether the machine has such pages, and a box has no /sys.
 */
#ifndef __SANITIZE_ADDRESS__
void *malloc(size_t size) {
  char *block = __libc_malloc(size);
  if (size < LARGE_PAGE || block == NULL) return block;
  long skipped = -(long)block & (getpagesize() - 1);
  madvise(block + skipped, size - skipped, MADV_HUGEPAGE);
  return block;
}
#endif

FILE *fopen(const char *path, const char *mode) {
  bool is_local = role != OFF && local_name(path), is_read = mode[0] == 'r', is_new = is_local && mode[0] == 'w';
  if (role == ENGINE && is_read && !has_opened && is_local && !strcmp(local_name(path), "main.tex")) {
    has_opened = true;
    return fopencookie(NULL, mode, (cookie_io_functions_t){ .read = read_text, .seek = seek_text });
  }
  /* xdvipdfmx starts with one file in /tmp, for PostScript it never runs here; any more are pictures it converts */
  static int temporary;
  if (!is_read && !is_new && (role == ENGINE || (run_id > 0 && temporary++ > 0))) cannot_freeze = true;
  if (is_new) detach(path);
  FILE *file = real_fopen(path, is_new ? "w+" : mode);
  if (file && (is_new || (is_read && role != OFF))) remember(fileno(file), path, is_new);
  return file;
}
FILE *fopen64(const char *path, const char *mode) __attribute__((alias("fopen")));

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  int mode = flags & O_CREAT ? va_arg(list, int) : 0;
  va_end(list);
  bool is_new = role == ENGINE && (flags & O_CREAT) && local_name(path);
  if (is_new) detach(path);
  int fd = real_open(path, is_new ? (flags & ~O_ACCMODE) | O_RDWR : flags, mode);
  if (is_new) remember(fd, path, true);
  return fd;
}
int open64(const char *path, int flags, ...) __attribute__((alias("open")));

int access(const char *path, int mode) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-";
  if (role != OFF && run_id > 0 && !is_preview && path[0] != '/') {
    const char *name = local_name(path);
    bool is_plain = name && strlen(name) < 100 && name[strspn(name, plain)] == 0;
    if (sizeof looks - looks_length < 150) tell_looks();
    looks_length += sprintf(looks + looks_length, "look %ld %s\n", run_id, is_plain ? name : "?");
  }
  return real_access(path, mode);
}

__attribute__((constructor)) static void begin(void) {
  static const cookie_io_functions_t input = { .read = read_text }, terminal = { .write = read_terminal };
  real_fopen = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
  real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
  real_access = (int (*)(const char *, int))dlsym(RTLD_NEXT, "access");
  const char *wanted = getenv("INKPROOF_WARM");
  if (!wanted || !getcwd(base, sizeof base)) return;
  unsetenv("LD_PRELOAD");
  role = strcmp(wanted, "driver") ? ENGINE : DRIVER;
  on_exit(finish, NULL);
  if (role == DRIVER) stdin = fopencookie(NULL, "r", input);
  else stdout = fopencookie(NULL, "w", terminal);
}
