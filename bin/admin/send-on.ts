// Commands that do a part of their work a call: sent on and on, until an answer says that nothing is left.
import type { CommandInput } from '../../functions/admin/commands.ts';
import type { Send } from './connect-admin.ts';

/**
 * Sends a command, and again from after each `next` that an answer names. Returns the answers as one without `next`: counts added up, lists
 * joined, of the rest the last. After an interruption the command can be given again. Throws CliError.
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
