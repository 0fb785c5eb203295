// An input that a provider refuses as too long is asked in halves, once (rules.md: models 14).
import { ModelError } from './model.ts';
import { type InputOf, type OutputOf, type TaskKind, tasks } from './tasks/task-registry.ts';

/** Of `of` items, `items` reached the model only in part. */
export interface Shortened {
  items: number;
  of: number;
}

/** The output of `ask`, of the whole input or of its halves. */
export async function askInHalves<K extends TaskKind>(
  task: K,
  input: InputOf<K>,
  ask: (part: InputOf<K>) => Promise<OutputOf<K>>,
  onShortened: (shortened: Shortened) => void,
): Promise<OutputOf<K>> {
  try {
    return await ask(input);
  } catch (error) {
    const isTooLong = error instanceof ModelError && error.fault.reason === 'input_too_long';
    const halves = isTooLong ? tasks[task].halved(input) : undefined;
    if (!halves) throw error;
    const outputs: OutputOf<K>[] = [];
    for (const half of halves.inputs) outputs.push(await ask(half));
    if (halves.left_out > 0) onShortened({ items: halves.left_out, of: halves.of });
    return halves.joined(outputs);
  }
}
