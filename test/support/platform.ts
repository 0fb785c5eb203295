// What tests need of the operating system.

/** Whether it is POSIX: a shell, file modes, named pipes, and signals that a process can handle. */
export const isPosix = process.platform !== 'win32';

/** npm programs are shell scripts on Windows. */
export const npmProgram = { shell: !isPosix };
