/*
 * The sandbox for machines that forbid user namespaces: runs one program under Landlock (files), seccomp (system calls)
 * and limits, without a way to gain rights, and stays as its parent until all its processes are gone.
 *
 *   jail OPTIONS -- PROGRAM ARGUMENTS…
 *   -d FOLDER  the job's folder: its working directory, the only place it may write     -P PID  the caller
 *   -r PATH    may be read, with all below it     -o PATH  the same, if it exists     -x FILE  may be executed
 *   -u ID      become this user first (root only)     -e NAME=VALUE  environment: these, and nothing else
 *   -c SECONDS  CPU time     -m BYTES  address space     -f BYTES  largest file     -n COUNT  processes of this user
 *   -F         no second process at all     -k COUNT  descriptors 4 … 3 + COUNT go to the program
 * Writes {"child-pid": N} to descriptor 3; N leads the process group of all the job's processes, which cannot leave it.
 * SIGTERM, and the caller's end, end the job. Exit status as a shell's; 126 with a line on stderr if the jail fails.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "the jail knows x86-64 and arm64"
#endif

/* From the kernel's landlock.h: the installed header may be older than the running kernel. */
enum { LL_EXECUTE = 1 << 0, LL_WRITE_FILE = 1 << 1, LL_READ_FILE = 1 << 2, LL_READ_DIR = 1 << 3, LL_MAKE_CHAR = 1 << 6,
  LL_MAKE_SOCK = 1 << 9, LL_MAKE_FIFO = 1 << 10, LL_MAKE_BLOCK = 1 << 11, LL_MAKE_SYM = 1 << 12,
  LL_FIRST = (1 << 13) - 1, LL_REFER = 1 << 13, LL_TRUNCATE = 1 << 14, LL_IOCTL_DEV = 1 << 15 };
struct ll_ruleset { uint64_t files, network, scoped; };
struct ll_rule { uint64_t access; int32_t parent; } __attribute__((packed));
#ifndef SYS_landlock_create_ruleset
enum { SYS_landlock_create_ruleset = 444, SYS_landlock_add_rule = 445, SYS_landlock_restrict_self = 446 };
#endif

enum { INFO = 3, FIRST_CHANNEL = 4, MAX_PLACES = 64 };
struct place { char kind; const char *path; };
static struct place places[MAX_PLACES];
static int place_count;
static const char *folder;
static long id = -1, caller, channels;
static bool is_alone;

static void __attribute__((noreturn)) fail(const char *what) {
  dprintf(2, "jail: %s: %s\n", what, strerror(errno));
  _exit(126);
}

static unsigned long number(const char *word) {
  char *end;
  errno = 0;
  unsigned long value = strtoul(word, &end, 10);
  if (errno || end == word || *end) { errno = EINVAL; fail(word); }
  return value;
}

static void limit(int what, rlim_t soft, rlim_t hard) {
  if (setrlimit(what, &(struct rlimit){ soft, hard })) fail("limits");
}

/* ---- files ---- */

static void allow_place(int rules, const char *path, uint64_t access, bool may_lack) {
  struct stat found;
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0 && may_lack && errno == ENOENT) return;
  if (fd < 0 || fstat(fd, &found)) fail(path);
  /* the kernel refuses folder rights for anything but folders */
  if (!S_ISDIR(found.st_mode)) access &= LL_EXECUTE | LL_WRITE_FILE | LL_READ_FILE;
  struct ll_rule rule = { access, fd };
  if (syscall(SYS_landlock_add_rule, rules, 1, &rule, 0)) fail(path);
  close(fd);
}

static void confine_files(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
  if (version < 1) fail("Landlock is not available (Linux 5.13 or later, switched on)");
  struct ll_ruleset set = { .files = LL_FIRST };
  if (version >= 2) set.files |= LL_REFER;
  if (version >= 3) set.files |= LL_TRUNCATE;
  if (version >= 4) set.network = 3; /* bind and connect of TCP */
  if (version >= 5) set.files |= LL_IOCTL_DEV;
  if (version >= 6) set.scoped = 3; /* abstract sockets and signals */
  int rules = (int)syscall(SYS_landlock_create_ruleset, &set, sizeof set, 0);
  if (rules < 0) fail("Landlock rules");
  const uint64_t reading = LL_READ_FILE | LL_READ_DIR;
  const uint64_t never = LL_EXECUTE | LL_MAKE_CHAR | LL_MAKE_SOCK | LL_MAKE_FIFO | LL_MAKE_BLOCK | LL_MAKE_SYM | LL_IOCTL_DEV;
  allow_place(rules, ".", set.files & ~never, false);
  allow_place(rules, "/dev/null", LL_READ_FILE | LL_WRITE_FILE, false);
  allow_place(rules, "/dev/urandom", LL_READ_FILE, false);
  for (int i = 0; i < place_count; i++)
    allow_place(rules, places[i].path, places[i].kind == 'x' ? LL_READ_FILE | LL_EXECUTE : reading, places[i].kind == 'o');
  if (syscall(SYS_landlock_restrict_self, rules, 0)) fail("Landlock");
  close(rules);
}

/* ---- system calls ---- */

/*
 * The calls used by the engines, their driver and our library for warm engines; every other call does not exist (ENOSYS,
 * on which the C library falls back to an older one). Excluded on purpose: sockets, signals except through the parent,
 * tracing, other processes' memory, limits and priorities, sessions and groups, ids, namespaces, mounts, keys, shared
 * memory and queues, io_uring, memfd, and what Landlock does not control: chmod, chown, attributes, times, truncate by
 * name, links.
 */
static const int allowed[] = {
#ifdef __x86_64__
  SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_rename, SYS_unlink, SYS_mkdir, SYS_rmdir, SYS_creat,
  SYS_dup2, SYS_pipe, SYS_poll, SYS_select, SYS_getdents, SYS_time, SYS_alarm, SYS_pause, SYS_getpgrp, SYS_arch_prctl,
  SYS_epoll_create, SYS_epoll_wait,
#endif
  SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_close, SYS_close_range, SYS_fstat,
  SYS_newfstatat, SYS_statx, SYS_faccessat, SYS_faccessat2, SYS_openat, SYS_openat2, SYS_readlinkat, SYS_getcwd,
  SYS_chdir, SYS_fchdir, SYS_getdents64, SYS_unlinkat, SYS_renameat, SYS_renameat2, SYS_mkdirat, SYS_ftruncate,
  SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_fadvise64, SYS_statfs, SYS_fstatfs, SYS_umask, SYS_dup, SYS_dup3, SYS_pipe2,
  SYS_fcntl, SYS_flock, SYS_sendfile, SYS_copy_file_range, SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl,
  SYS_epoll_pwait, SYS_sendto, SYS_recvfrom, SYS_sendmsg, SYS_recvmsg, SYS_shutdown, SYS_mmap, SYS_munmap, SYS_mprotect,
  SYS_mremap, SYS_madvise, SYS_msync, SYS_brk, SYS_execve, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid,
  SYS_set_tid_address, SYS_set_robust_list, SYS_rseq, SYS_futex, SYS_sched_yield, SYS_sched_getaffinity, SYS_nanosleep,
  SYS_clock_nanosleep, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_setitimer, SYS_getitimer, SYS_times,
  SYS_getrusage, SYS_getrlimit, SYS_setrlimit, SYS_getpid, SYS_getppid, SYS_gettid, SYS_getpgid, SYS_getuid, SYS_geteuid,
  SYS_getgid, SYS_getegid, SYS_sysinfo, SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
  SYS_rt_sigpending, SYS_rt_sigsuspend, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_restart_syscall,
};
/* TCGETS, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX: other calls on a socket reveal the machine's network */
static const uint32_t device_calls[] = { 0x5401, 0x541b, 0x5421, 0x5451, 0x5450 };
static const uint32_t process_calls[] = { PR_SET_PDEATHSIG, PR_GET_PDEATHSIG, PR_SET_NAME, PR_GET_NAME };
static const uint32_t own_limits[] = { 0 };
static const uint32_t new_namespaces = 0x7e020000;

static struct sock_filter code[512];
static int length;
static void put(uint16_t kind, uint32_t value, uint8_t if_true, uint8_t if_false) {
  if (length == 512) { errno = E2BIG; fail("filter"); }
  code[length++] = (struct sock_filter)BPF_JUMP(kind, value, if_true, if_false);
}
static void answer(uint32_t what) { put(BPF_RET | BPF_K, what, 0, 0); }
static void answer_call(int call, uint32_t what) { put(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1); answer(what); }
/* both architectures are little-endian: the low half of an argument comes first */
static void load_argument(int index) { put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * index, 0, 0); }
static void allow_with(int call, int argument, const uint32_t *values, int count) {
  put(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 2 + 2 * count);
  load_argument(argument);
  for (int i = 0; i < count; i++) answer_call((int)values[i], SECCOMP_RET_ALLOW);
  answer(SECCOMP_RET_ERRNO | EPERM);
}
#define ALLOW_WITH(call, argument, values) allow_with(call, argument, values, sizeof values / sizeof *values)

/* Returns the descriptor on which the parent receives requests for signals; -1 if this machine does not support that. */
static int confine_calls(void) {
  /* on EAGAIN Perl would wait and retry for ever */
  const uint32_t no_fork = SECCOMP_RET_ERRNO | EPERM;
  put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
  put(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0);
  answer(SECCOMP_RET_KILL_PROCESS);
  put(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
#ifdef __x86_64__
  put(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* x32 */
  answer(SECCOMP_RET_KILL_PROCESS);
  answer_call(SYS_fork, is_alone ? no_fork : SECCOMP_RET_ALLOW);
  answer_call(SYS_vfork, is_alone ? no_fork : SECCOMP_RET_ALLOW);
  answer_call(SYS_link, SECCOMP_RET_ERRNO | EPERM);
#endif
  /* fontconfig then locks its cache in another way */
  answer_call(SYS_linkat, SECCOMP_RET_ERRNO | EPERM);
  answer_call(SYS_kill, SECCOMP_RET_USER_NOTIF);
  answer_call(SYS_tgkill, SECCOMP_RET_USER_NOTIF);
  if (is_alone) answer_call(SYS_clone, no_fork);
  put(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4);
  load_argument(0);
  put(BPF_JMP | BPF_JSET | BPF_K, new_namespaces, 0, 1);
  answer(SECCOMP_RET_ERRNO | EPERM);
  answer(SECCOMP_RET_ALLOW);
  ALLOW_WITH(SYS_prctl, 0, process_calls);
  ALLOW_WITH(SYS_prlimit64, 0, own_limits);
  ALLOW_WITH(SYS_ioctl, 1, device_calls);
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) answer_call(allowed[i], SECCOMP_RET_ALLOW);
  answer(SECCOMP_RET_ERRNO | ENOSYS);
  struct sock_fprog program = { (unsigned short)length, code };
  int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
  /* a container's own filter may have a listener already: signals then fail with ENOSYS */
  if (listener < 0 && (errno != EBUSY || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program))) fail("seccomp");
  return listener;
}

/* ---- the two processes ---- */

/* receives one descriptor through a socket; -1 if the other side ended */
static int pass_descriptor(int socket, int fd) {
  union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr header; } control = { 0 };
  char byte = 0;
  struct iovec part = { &byte, 1 };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control };
  if (fd < 0) {
    if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) != 1 || !CMSG_FIRSTHDR(&message)) return -1;
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
  }
  control.header = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS };
  memcpy(CMSG_DATA(&control.header), &fd, sizeof fd);
  return sendmsg(socket, &message, 0) == 1 ? 0 : -1;
}

static void __attribute__((noreturn)) become_program(char **words, int socket, pid_t parent, const rlim_t *most) {
  sigset_t none;
  setpgid(0, 0);
  if (id >= 0) {
    for (int right = 0; right < 64; right++) prctl(PR_CAPBSET_DROP, right, 0, 0, 0);
    if (setgroups(0, NULL) || setresgid(id, id, id) || setresuid(id, id, id)) fail("becoming the job's user");
  }
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) fail("parent");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) fail("no new privileges");
  if (chdir(folder)) fail(folder);
  if (mkdir(".tmp", 0700) && errno != EEXIST) fail(".tmp");
  limit(RLIMIT_CPU, most[0], most[0] + 1);
  limit(RLIMIT_AS, most[1], most[1]);
  limit(RLIMIT_FSIZE, most[2], most[2]);
  if (most[3]) limit(RLIMIT_NPROC, most[3], most[3]);
  limit(RLIMIT_NOFILE, 256, 256);
  limit(RLIMIT_CORE, 0, 0);
  confine_files();
  if (fcntl(INFO, F_SETFD, FD_CLOEXEC)) fail("descriptor 3");
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  int listener = confine_calls();
  if (listener >= 0 && pass_descriptor(socket, listener)) fail("signals");
  close(socket);
  execv(words[0], words);
  dprintf(2, "jail: %s: %s\n", words[0], strerror(errno));
  _exit(127);
}

/* A job may signal its own processes: the parent sends the signal for it, if the target is in its group. */
static void answer_signal(int listener, pid_t group) {
  union { struct seccomp_notif notice; char room[512]; } asked = { 0 };
  union { struct seccomp_notif_resp reply; char room[512]; } told = { 0 };
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked)) return;
  const struct seccomp_data *call = &asked.notice.data;
  pid_t pid = (pid_t)call->args[0];
  int wanted = (int)call->args[call->nr == SYS_tgkill ? 2 : 1], error = EPERM;
  /* the descriptor first: if the id is reused meanwhile, the other process is not hit */
  int target = pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
  if (target >= 0 && getpgid(pid) == group) error = syscall(SYS_pidfd_send_signal, target, wanted, NULL, 0) ? errno : 0;
  if (target >= 0) close(target);
  told.reply = (struct seccomp_notif_resp){ .id = asked.notice.id, .error = -error };
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &told);
}

/* Waits until no process of the job is left (we adopt its orphans). Ends them all with its first process. */
static int supervise(pid_t first, int listener, int signals) {
  int status = 0, result = 137;
  for (;;) {
    struct pollfd wait[] = { { signals, POLLIN, 0 }, { listener, POLLIN, 0 } };
    struct signalfd_siginfo got;
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents & POLLIN) answer_signal(listener, first);
    else if (wait[1].revents) listener = -1;
    if (!(wait[0].revents & POLLIN) || read(signals, &got, sizeof got) < 0) continue;
    if (got.ssi_signo != SIGCHLD) kill(-first, SIGKILL);
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) != 0;) {
      if (pid < 0) return result;
      if (pid != first) continue;
      result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
      kill(-first, SIGKILL);
    }
  }
}

int main(int count, char **words) {
  rlim_t most[4] = { 0 };
  int option, pair[2];
  sigset_t watched;
  clearenv();
  while ((option = getopt(count, words, "+d:P:r:o:x:u:e:c:m:f:n:Fk:")) != -1) {
    const char *place = strchr("cmfn", option);
    if (place) most[strchr("cmfn", option) - "cmfn"] = number(optarg);
    else if (option == 'd') folder = optarg;
    else if (option == 'P') caller = (long)number(optarg);
    else if (option == 'u') id = (long)number(optarg);
    else if (option == 'k') channels = (long)number(optarg);
    else if (option == 'F') is_alone = true;
    else if (option == 'e' && strchr(optarg, '=')) putenv(optarg);
    else if (strchr("rox", option) && place_count < MAX_PLACES) places[place_count++] = (struct place){ (char)option, optarg };
    else { errno = EINVAL; fail("options"); }
  }
  if (optind >= count || !folder || !most[0] || !most[1] || !most[2] || (id >= 0 && id < 1000)) { errno = EINVAL; fail("options"); }
  if (id < 0 && geteuid() == 0) { errno = EPERM; fail("root without another user's id"); }
  if (syscall(SYS_close_range, FIRST_CHANNEL + channels, ~0U, 0)) fail("descriptors");
  sigemptyset(&watched);
  for (const int *one = (const int[]){ SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0 }; *one; one++) sigaddset(&watched, *one);
  sigprocmask(SIG_BLOCK, &watched, NULL);
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) || prctl(PR_SET_CHILD_SUBREAPER, 1)) fail("parent");
  if (getppid() != caller) return 126;
  int signals = signalfd(-1, &watched, SFD_CLOEXEC);
  if (signals < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)) fail("descriptors");
  pid_t self = getpid(), first = fork();
  if (first < 0) fail("fork");
  if (first == 0) become_program(words + optind, pair[1], self, most);
  setpgid(first, first);
  dprintf(INFO, "{\"child-pid\": %d}\n", first);
  close(0);
  close(1);
  for (int fd = INFO; fd < FIRST_CHANNEL + channels; fd++) close(fd);
  close(pair[1]);
  return supervise(first, pass_descriptor(pair[0], -1), signals);
}
