// What all commands share: flags, the client, and how they answer.
import { RunService } from '../../sdk/index.ts';
import { anId } from '../argument-parsers.ts';
import { type Chosen, connectionOf, DEFAULT_FOLDER } from '../connection/chosen-service.ts';
import type { Profile } from '../connection/profiles.ts';
import type { ExitName } from '../exit-codes.ts';
import { asShown } from '../output/markdown.ts';
import { jsonLine, plainLines, plainText } from '../output/plain.ts';
import { type Screen, screenOf } from '../output/terminal.ts';
import { Problem } from '../problem.ts';
import type { Context, Surroundings } from '../surroundings.ts';

/** The flags of every command. */
export interface CommonFlags extends Chosen {
  readonly json?: boolean;
}

/** Takes a text unchanged. */
export const text = (value: string) => value;

export const jsonFlag = {
  json: { kind: 'boolean', brief: 'print the JSON of the service', optional: true, withNegated: false },
} as const;

export const commonFlags = {
  ...jsonFlag,
  profile: textFlag('NAME', 'a profile of `runs login`'),
  local: {
    kind: 'parsed',
    parse: text,
    optional: true,
    inferEmpty: true,
    placeholder: 'DIR',
    brief: `the service on this machine with data folder DIR (${DEFAULT_FOLDER})`,
  },
} as const;

/** A flag whose value `parse` reads. */
export function valueFlag<T>(parse: (value: string) => T, placeholder: string, brief: string) {
  return { kind: 'parsed', parse, optional: true, placeholder, brief } as const;
}

/** A flag that takes a text. */
export function textFlag(placeholder: string, brief: string) {
  return valueFlag(text, placeholder, brief);
}

/** A flag that may be repeated. */
export function repeatedFlag<T>(parse: (value: string) => T, placeholder: string, brief: string) {
  return { ...valueFlag(parse, placeholder, brief), variadic: true } as const;
}

/** A flag without a value. */
export function switchFlag(brief: string) {
  return { kind: 'boolean', optional: true, withNegated: false, brief } as const;
}

/** The single argument of a command, an id. */
export function oneId(placeholder: string, brief: string) {
  return { kind: 'tuple', parameters: [{ parse: anId, placeholder, brief }] } as const;
}

const MAX_RETRIES = 3;

/** The client of the chosen service. Throws Problem without a key. */
export function serviceOf(context: Surroundings, flags: Chosen): RunService {
  return clientOf(connectionOf(flags, context), context);
}

/** The client of a profile. Throws Problem for what is no key. */
export function clientOf(
  { base_url: baseUrl, api_key: apiKey }: Profile,
  { fetch }: Surroundings,
): RunService {
  try {
    return new RunService({ apiKey, baseUrl, fetch, maxRetries: MAX_RETRIES });
  } catch (error) {
    throw error instanceof TypeError ? new Problem('key', error.message) : error;
  }
}

/** The flags that select the service, to repeat in a suggested command. */
export function sameService({ local, profile }: Chosen): string {
  if (local !== undefined) return local === DEFAULT_FOLDER ? ' --local' : ` --local ${local}`;
  return profile === undefined ? '' : ` --profile ${profile}`;
}

/** Writes a command's result: JSON on request, else text for the screen. */
export function answer(
  context: Context,
  { json }: CommonFlags,
  value: unknown,
  text: (screen: Screen) => string,
): void {
  context.stdout.write(json ? `${jsonLine(value)}\n` : plainText(text(screenOf(context))));
}

/** As `answer`, for a text in Markdown. */
export function answerMarkdown(
  context: Context,
  { json }: CommonFlags,
  value: unknown,
  text: (screen: Screen) => string,
): void {
  const screen = screenOf(context);
  context.stdout.write(json ? `${jsonLine(value)}\n` : asShown(plainText(text(screen)), screen));
}

/** Writes a line besides the data. */
export function say({ stderr }: Pick<Context, 'stderr'>, line: string): void {
  stderr.write(plainLines([line]));
}

/**
 * The work of a command that asks the service once and prints the answer: JSON on request, else what `show` makes of
 * it, and the line of `note` besides.
 */
export function asking<T, F extends CommonFlags, A extends readonly unknown[]>(
  ask: (service: RunService, options: { signal: AbortSignal }, flags: F, ...args: A) => PromiseLike<T>,
  show: (value: T, screen: Screen) => string,
  note?: (value: T, screen: Screen) => string | undefined,
) {
  return async (context: Context, flags: F, ...args: A): Promise<ExitName> => {
    const value = await ask(serviceOf(context, flags), { signal: context.interrupted }, flags, ...args);
    answer(context, flags, value, (screen) => show(value, screen));
    const line = flags.json ? undefined : note?.(value, screenOf(context));
    if (line !== undefined) say(context, line);
    return 'ok';
  };
}

/** As the service lists what it has no further pages of. */
export async function listed<T>(all: Promise<T[]>): Promise<{ object: 'list'; data: T[] }> {
  return { object: 'list', data: await all };
}
