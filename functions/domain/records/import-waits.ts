// How long an import waits for a table that is too busy for it, and what it answers then.
import { AdminError } from '#domain/workspaces/admin-error.ts';
import { describe, log } from '#platform/log.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { throughTrouble } from '#platform/through-trouble.ts';

/** The rest of the function's 300 s is for a last try of the table, and the answer. */
const IMPORT_WAITS_MS = 240_000;

/** When (epoch ms) an import that begins now no longer waits for the table. */
export const waitsUntil = (): number => Date.now() + IMPORT_WAITS_MS;

/** Reads what an import needs before it writes `lines` lines. Throws AdminError `import_interrupted`. */
export async function readForImport<T>(lines: number, until: number, read: () => Promise<T>): Promise<T> {
  try {
    return await throughTrouble(read, until);
  } catch (error) {
    throw isServiceTrouble(error) ? interruptedBy(0, lines, error) : error;
  }
}

/** The answer of an import that the table has stopped. */
export function interruptedBy(written: number, lines: number, cause: unknown): AdminError {
  log.error('import interrupted', { error: describe(cause) });
  return new AdminError(
    'import_interrupted',
    `Of these ${lines} records ${written} were written, then the table refused.`,
  );
}
