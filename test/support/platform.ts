// What tests ask of the system that they run on.

/** Whether it has what POSIX promises: a shell, modes of files, named pipes, and signals that a process can answer. */
export const isPosix = process.platform !== 'win32';

/** For programs of npm, which are scripts of the shell on Windows. */
export const npmProgram = { shell: !isPosix };
