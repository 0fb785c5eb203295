// The embedded engine as the service's main thread uses it: its file, and what the threads of functions need to open it, too.
import { createSharedOrder } from './engine/commit-order.ts';
import { openEngine, performDurably } from './engine/engine.ts';
import type { EngineFile, TableService } from './engine/table-service.ts';

/** No thread of a function has this name. */
const MAIN_THREAD = -1;

/** Opens the file. Throws SetupError when it cannot be used. `lost` is called when it turns out to be damaged later. */
export function openEmbeddedEngine(
  file: string,
  lost: (reason: string) => void,
): TableService & { file: EngineFile } {
  const order = createSharedOrder();
  const engine = openEngine(file, { order, holder: MAIN_THREAD, lost });
  return {
    file: { file, order },
    perform: (operation, input) => performDurably(engine, operation, input),
    stop: engine.close,
  };
}
