// What a start does: serves until a signal stops it, or reports in one line why it cannot.
import { SetupError } from '../setup-error.ts';
import { banner, checkLines, priceWarnings } from './banner.ts';
import { readFlags, usagePage } from './flags.ts';
import { startService } from './start-service.ts';

/** Time for a stop before the process simply exits, which loses no acknowledged data. */
const STOP_TIMEOUT_MS = 4_900;

/**
 * Runs one command line, which begins with `call`. An error that the user can correct prints one line and exits with
 * code 2.
 */
export async function localCommand(args: string[], call: string): Promise<void> {
  // Only its owner may read what the service and its child processes write (rules.md: local 7).
  process.umask(0o077);
  // The service must survive a reader of its banner that closes the pipe (`| head`).
  process.stdout.on('error', () => {});
  try {
    if (asksForHelp(args)) process.stdout.write(usagePage(call));
    else await serve(args);
  } catch (error) {
    refuse(error);
  }
}

/** Whether there is something to start; prints the usage page, or what is wrong with a flag. */
export function checksOut(args: string[], call: string): boolean {
  if (asksForHelp(args)) {
    process.stdout.write(usagePage(call));
    return false;
  }
  try {
    readFlags(args);
    return true;
  } catch (error) {
    return refuse(error);
  }
}

const asksForHelp = (args: string[]) => args.includes('--help') || args.includes('-h');

function refuse(error: unknown): never {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(2);
}

/** Starts the service and runs it until a signal arrives. Throws SetupError. */
async function serve(args: string[]): Promise<void> {
  const flags = readFlags(args);
  const service = await startService(flags, (reason) => {
    process.stderr.write(`${reason}\n`);
    process.exit(1);
  });
  const { site_url, base_url } = service.runtime;
  const { model, embedding, models } = flags;
  const ready = { site_url, base_url, model, embedding, models, ...service.demo };
  process.stdout.write(banner(ready, service.dataDir));
  for (const line of priceWarnings(flags)) process.stderr.write(`${line}\n`);
  void service.loadNext();
  if (flags.checksModels)
    void service.checkModels().then((checks) => process.stdout.write(checkLines(checks)));
  const stop = () => {
    setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref();
    void service.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}
