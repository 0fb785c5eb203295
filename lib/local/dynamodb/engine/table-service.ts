// What carries out operations on tables: the embedded engine, or another one over HTTP.
import type { JsonObject } from '../../json-values.ts';
import type { SharedOrder } from './commit-order.ts';

export interface TableService {
  /** Carries out an operation; what it resolves with is on disk. Throws AwsError for a refusal. */
  perform(operation: string, input: JsonObject): Promise<JsonObject>;
  stop(): Promise<void>;
}

/** What a thread needs to open the embedded engine's file for itself. */
export interface EngineFile {
  file: string;
  order: SharedOrder;
}
