// Work counted instead of timed.
import { isJsonObject, type JsonObject } from '#contract/json.ts';

/** The record, counting how often one of its values is read. */
export function countedReads(record: JsonObject): { record: JsonObject; reads: () => number } {
  let reads = 0;
  const watch = (object: JsonObject): JsonObject =>
    new Proxy(object, {
      get(target, name) {
        reads += 1;
        const value: unknown = Reflect.get(target, name);
        return isJsonObject(value) ? watch(value) : value;
      },
    });
  return { record: watch(record), reads: () => reads };
}
