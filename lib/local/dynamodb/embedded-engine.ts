// The embedded engine as the service's main thread uses it: its file, and what the threads of functions need to open it, too.
import { createSharedOrder, type SharedOrder } from './commit-order.ts';
import type { DynamoDb } from './dynamodb.ts';
import { openEngine } from './engine.ts';

/** What a thread needs to open the engine's file for itself. */
export interface EngineFile {
  file: string;
  order: SharedOrder;
}

/** No thread of a function has this name. */
const MAIN_THREAD = -1;

/** Opens the file. Throws SetupError when it cannot be used. `lost` is called when it turns out to be damaged later. */
export function openEmbeddedEngine(
  file: string,
  lost: (reason: string) => void,
): DynamoDb & { file: EngineFile } {
  const order = createSharedOrder();
  const engine = openEngine(file, { order, holder: MAIN_THREAD, lost });
  return {
    file: { file, order },
    async perform(operation, input) {
      const output = engine.perform(operation, input);
      await engine.settled();
      return output;
    },
    stop: engine.close,
  };
}
