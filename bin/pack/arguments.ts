// The arguments of `npm run pack`.
import { parseArgs } from 'node:util';
import { flagProblem } from '../../lib/local/cli/usage-text.ts';

/** What a pack is asked for. */
export interface PackArguments {
  /** `@acme`: the packages are named `@acme/…`. */
  scope: string | undefined;
}

/** An argument that no pack can use; its message is one line. */
export class WrongPack extends Error {}

const options = { scope: { type: 'string' } } as const;
/** What npm takes for a scope. */
const SCOPE = /^@[a-z0-9][a-z0-9._-]{0,99}$/;

/** Reads them. Throws WrongPack. */
export function readPackArguments(args: string[]): PackArguments {
  const { scope } = parse(args);
  if (scope === undefined || SCOPE.test(scope)) return { scope };
  throw new WrongPack(`--scope must be a name such as @acme, not "${scope}"`);
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new WrongPack(flagProblem(error, Object.keys(options)));
  }
}
