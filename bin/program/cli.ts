// What npm runs as `run-service`: starts the program on a Node that has what it needs.
const { env, execArgv, execPath, argv, versions } = process;

/** The first version whose SQLite says where a file is, and whether a transaction is open. */
const [NEEDED_MAJOR, NEEDED_MINOR] = [22, 16];
const [major = 0, minor = 0] = versions.node.split('.').map(Number);

if (major < NEEDED_MAJOR || (major === NEEDED_MAJOR && minor < NEEDED_MINOR)) {
  process.stderr.write(
    `run-service needs Node ${NEEDED_MAJOR}.${NEEDED_MINOR} or later, and this is ${versions.node}\n`,
  );
  process.exitCode = 2;
} else {
  // Node 22 would print at each command that SQLite is experimental.
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning') Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  if (argv[2] === 'start') startAgain();
  void import(new URL('./run-service.mjs', import.meta.url).href);
}

/**
 * A process reads these only when it starts, so this one starts again with the same id and streams. glibc would give
 * the thread of each function an allocation arena, about 90 MB in all. The flag bounds the young generation of each
 * thread at 24 MB instead of 48: with half of that, a run takes 7 % more processor time.
 */
function startAgain(): void {
  if (env.MALLOC_ARENA_MAX !== undefined) return;
  const flags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning'];
  process.execve?.(execPath, [execPath, ...flags, ...execArgv, ...argv.slice(1)], {
    ...env,
    MALLOC_ARENA_MAX: '2',
  });
}

export {};
