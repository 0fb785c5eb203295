// What a proof is: a trial with figures: what it counted and what it found wrong.
import { parseArgs } from 'node:util';

/** What a proof counted; it succeeds when `breaches` is empty. */
export interface Findings {
  breaches: string[];
  [figure: string]: unknown;
}

/** The figures of a proof by the names of its flags; `seed` is always one. */
export type Flags<Name extends string> = Readonly<Record<Name | 'seed', number>>;

const BREACHES_SHOWN = 20;
const SHOWN_CHARACTERS = 400;

/** The whole numbers that `--name N` gives, the defaults for the others. Throws for an unknown flag. */
function readFlags<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, number>>,
): Flags<Name> {
  const known = { ...defaults, seed: Date.now() % 1_000_000_000 };
  const options = Object.fromEntries(Object.keys(known).map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options });
  const given = Object.entries(values).map(([name, text]) => [name, wholeNumber(name, text)] as const);
  return { ...known, ...Object.fromEntries(given) };
}

function wholeNumber(name: string, text: unknown): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 0 || text === '')
    throw new Error(`--${name} ${text}: no whole number`);
  return number;
}

/** Reports in one line what is wrong with the command, and makes the process exit with 2. */
export function misused(what: string): void {
  process.stderr.write(`${what}\n`);
  process.exitCode = 2;
}

/** Runs the proof with these arguments, prints one JSON object, and makes the process exit with 1 on a breach. */
export async function runAsCommand<Name extends string>(
  defaults: Readonly<Record<Name, number>>,
  prove: (flags: Flags<Name>) => Promise<Findings>,
  args: readonly string[],
): Promise<void> {
  let used: Flags<Name>;
  try {
    used = readFlags(args, defaults);
  } catch (error) {
    const names = Object.keys(defaults).map((name) => `--${name}`);
    return misused(
      `${error instanceof Error ? error.message : error} (flags: ${[...names, '--seed'].join(', ')})`,
    );
  }
  const begun = performance.now();
  const { breaches, ...figures } = await prove(used);
  const seconds = Math.round((performance.now() - begun) / 1000);
  const shown = breaches.slice(0, BREACHES_SHOWN).map((breach) => breach.slice(0, SHOWN_CHARACTERS));
  process.stdout.write(
    `${JSON.stringify({ ...used, ...figures, seconds, breaches: breaches.length, first_breaches: shown })}\n`,
  );
  process.exitCode = breaches.length > 0 ? 1 : 0;
}
