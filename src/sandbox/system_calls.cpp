#include "sandbox/system_calls.h"

namespace tritonrl::sandbox {
namespace {

constexpr const char* kPlain[] = {
    // descriptors
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2", "pwritev2", "lseek",
    "close", "close_range", "dup", "dup2", "dup3", "pipe", "pipe2", "sendfile", "copy_file_range", "fsync", "fdatasync",
    "ftruncate", "fallocate", "fadvise64", "sync_file_range", "readahead",
    // waiting
    "select", "pselect6", "poll", "ppoll", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait", "epoll_pwait",
    "epoll_pwait2", "eventfd", "eventfd2", "wait4", "waitid",
    // files by path: Landlock decides
    "stat", "lstat", "fstat", "newfstatat", "statx", "statfs", "fstatfs", "access", "faccessat", "faccessat2",
    "readlink", "readlinkat", "getdents", "getdents64", "getcwd", "chdir", "fchdir", "mkdir", "mkdirat", "rmdir",
    "unlink", "unlinkat", "rename", "renameat", "renameat2", "symlink", "symlinkat", "umask",
    // memory
    "brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "mincore", "msync", "mlock", "mlock2", "munlock",
    "membarrier",
    // threads
    "futex", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue", "set_robust_list", "set_tid_address", "rseq",
    "arch_prctl", "sched_yield", "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_getattr",
    "sched_get_priority_max", "sched_get_priority_min", "getcpu", "exit", "exit_group", "restart_syscall",
    // own signals and timers
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend", "rt_sigtimedwait",
    "sigaltstack", "pause", "alarm", "setitimer", "getitimer", "timer_create", "timer_settime", "timer_gettime",
    "timer_getoverrun", "timer_delete",
    // time
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times",
    // questions
    "getpid", "gettid", "getppid", "getpgid", "getpgrp", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "capget", "uname", "sysinfo", "getrusage", "getrlimit", "getpriority",
    "get_mempolicy", "getrandom"};

constexpr const char* kProcesses[] = {"fork", "vfork", "execve", "execveat"};

constexpr const char* kDevices[] = {"sendmsg",         "recvmsg",         "bind",  "listen",       "timerfd_create",
                                    "timerfd_settime", "timerfd_gettime", "mbind", "set_mempolicy"};

constexpr const char* kMetadata[] = {"chmod",  "fchmod",    "fchmodat", "fchmodat2", "utimensat", "utime",
                                     "utimes", "futimesat", "truncate", "flock",     "link",      "linkat"};

}  // namespace

std::span<const char* const> plain_calls() {
  return kPlain;
}
std::span<const char* const> process_calls() {
  return kProcesses;
}
std::span<const char* const> device_calls() {
  return kDevices;
}
std::span<const char* const> metadata_calls() {
  return kMetadata;
}

}  // namespace tritonrl::sandbox
