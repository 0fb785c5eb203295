// How long a prompt may be, and how long one is (rules.md: models 14).
import { promptFor } from './ai-sdk/prompt.ts';
import type { ModelLimits } from './model.ts';
import type { InputOf, TaskKind } from './tasks/task-registry.ts';

/** A token has about four bytes of English or JSON; other scripts have more bytes a character and fewer a token. */
const BYTES_A_TOKEN = 3;
/** What a prompt says of the form of the answer. */
const FORM_BYTES = 300;

/** How many bytes of a prompt leave room for the output; Infinity where nothing bounds it. */
export function promptBytes({ context_tokens, max_output_tokens }: ModelLimits): number {
  if (context_tokens >= Number.MAX_SAFE_INTEGER) return Number.POSITIVE_INFINITY;
  return (context_tokens - max_output_tokens) * BYTES_A_TOKEN - FORM_BYTES;
}

export function promptSize<K extends TaskKind>(kind: K, input: InputOf<K>): number {
  const { instructions, prompt } = promptFor(kind, input);
  return Buffer.byteLength(instructions) + Buffer.byteLength(prompt);
}
