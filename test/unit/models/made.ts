// The output that is made of an answer.
import { type InputOf, type OutputOf, type TaskKind, tasks } from '#models/tasks/task-registry.ts';

/** Throws the complaint about an answer that cannot be used. */
export async function made<K extends TaskKind>(
  task: K,
  answer: unknown,
  input: InputOf<K>,
): Promise<OutputOf<K>> {
  const judged = await tasks[task].judge(answer, input);
  if (!judged.ok) throw new Error(judged.complaint);
  return judged.output;
}
