// Which of the models that answer in turn is not away (rules.md: models 22).
import type { Me } from '#contract/me.ts';
import { usageOfWorkspace } from '#store/models/endpoint-state.ts';
import { stateOf } from './known-states.ts';

/** The first of these endpoints that is not away, else the first of all and when one is tried again. */
export async function availability(
  names: readonly string[],
): Promise<Pick<Me['model'], 'name' | 'available' | 'retry_at'>> {
  const states = await Promise.all(names.map(stateOf));
  const now = Date.now();
  const answering = states.findIndex((state) => usageOfWorkspace(state, now).kind === 'answers');
  const name = names[Math.max(0, answering)] ?? '';
  if (answering >= 0) return { name, available: true };
  const retry_at = Math.max(now, Math.min(...states.map((state) => state?.until ?? now)));
  return { name, available: false, retry_at };
}
