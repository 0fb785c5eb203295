// What performs operations on tables: the embedded engine, or another one over HTTP.
import type { JsonObject } from '../../json-values.ts';
import type { SharedOrder } from './commit-order.ts';

export interface TableService {
  /** Performs an operation; it is on disk when the promise resolves. Throws AwsError for a refusal. */
  perform(operation: string, input: JsonObject): Promise<JsonObject>;
  stop(): Promise<void>;
}

/** What a thread needs to open the embedded engine's file. */
export interface EngineFile {
  file: string;
  order: SharedOrder;
}
