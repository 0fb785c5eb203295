// The embedded engine in the service's main thread: its file, and what functions' threads need to open it.
import { createSharedOrder } from './engine/commit-order.ts';
import { openEngine, performDurably } from './engine/engine.ts';
import type { EngineFile, TableService } from './engine/table-service.ts';

/** No function's thread has this number. */
const MAIN_THREAD = -1;

/** Opens the file. Throws SetupError when it cannot be used. Calls `lost` when it is found damaged later. */
export function openEmbeddedEngine(
  file: string,
  lost: (reason: string) => void,
): TableService & { file: EngineFile; forgetErased(): void } {
  const order = createSharedOrder();
  const engine = openEngine(file, { order, holder: MAIN_THREAD, lost });
  return {
    file: { file, order },
    perform: (operation, input) => performDurably(engine, operation, input),
    forgetErased: engine.forgetErased,
    stop: engine.close,
  };
}
