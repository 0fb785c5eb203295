// Commands that do part of their work per call: repeated until an answer has no `next`.
import type { CommandInput } from '../../functions/admin/commands.ts';
import type { Send } from './connect-admin.ts';

/**
 * Sends a command, then again from each `next` that an answer contains. Returns one answer: counts are added, lists
 * joined, other fields taken from the last answer. It is safe to repeat after an interruption. Throws CliError.
 */
export async function sendOn(send: Send, command: CommandInput): Promise<Record<string, unknown>> {
  const whole: Record<string, unknown> = {};
  let after: string | undefined;
  do {
    const { next, ...part } = await send({ ...command, ...(after !== undefined && { after }) });
    for (const [name, value] of Object.entries(part)) whole[name] = joined(whole[name], value);
    after = typeof next === 'string' ? next : undefined;
  } while (after !== undefined);
  return whole;
}

function joined(before: unknown, value: unknown): unknown {
  if (typeof before === 'number' && typeof value === 'number') return before + value;
  return Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
}
