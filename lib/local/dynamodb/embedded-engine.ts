// The embedded engine in the service's main thread: its file, and what functions' threads need to open it.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SetupError } from '../setup-error.ts';
import { createSharedOrder } from './engine/commit-order.ts';
import { openEngine, performDurably } from './engine/engine.ts';
import type { EngineFile, TableService } from './engine/table-service.ts';

/** What the engine before this one wrote, which nothing here reads. */
const EARLIER = 'dynamodb.db';

/** No function's thread has this number. */
const MAIN_THREAD = -1;

/**
 * What was erased is soon not in the file either (rules.md: deletion 4): the sweep erases within a minute of a delete,
 * and together they stay below two.
 */
const FORGETS_EVERY_MS = 30_000;

/** Opens the file. Throws SetupError when it cannot be used. Calls `lost` when it is found damaged later. */
export function openEmbeddedEngine(
  file: string,
  lost: (reason: string) => void,
): TableService & { file: EngineFile } {
  const earlier = join(dirname(file), EARLIER);
  if (existsSync(earlier) && !existsSync(file))
    throw new SetupError(
      `${earlier} has the tables of an earlier version: start that one, or pass another --data-dir`,
    );
  const order = createSharedOrder();
  const engine = openEngine(file, { order, holder: MAIN_THREAD, lost });
  const forgetting = setInterval(() => {
    try {
      engine.forgetErased();
    } catch {
      // Other threads keep the file busy: the next round forgets.
    }
  }, FORGETS_EVERY_MS).unref();
  return {
    file: { file, order },
    perform: (operation, input) => performDurably(engine, operation, input),
    async stop() {
      clearInterval(forgetting);
      await engine.close();
    },
  };
}
