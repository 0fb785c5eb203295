// The arguments of `npm run pack`.
import { parseArgs } from 'node:util';
import { flagProblem } from '../../lib/local/cli/usage-text.ts';

/** What a pack is asked for. */
export interface PackArguments {
  /** `@acme`: the packages are named `@acme/…`. */
  scope: string | undefined;
  /** `acme-run-service`: a template as well, whose functions are in buckets of this name and a region. */
  template?: string | undefined;
}

/** An argument that no pack can use; its message is one line. */
export class WrongPack extends Error {}

const options = { scope: { type: 'string' }, template: { type: 'string' } } as const;
/** What npm takes for a scope. */
const SCOPE = /^@[a-z0-9][a-z0-9._-]{0,99}$/;
/** What S3 takes for a bucket, with room for a region. */
const BUCKET = /^[a-z0-9][a-z0-9-]{1,45}[a-z0-9]$/;

/** Reads them. Throws WrongPack. */
export function readPackArguments(args: string[]): PackArguments {
  const { scope, template } = parse(args);
  if (scope !== undefined && !SCOPE.test(scope))
    throw new WrongPack(`--scope must be a name such as @acme, not "${scope}"`);
  if (template !== undefined && !BUCKET.test(template))
    throw new WrongPack(`--template must be the beginning of a bucket's name, not "${template}"`);
  return { scope, template };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new WrongPack(flagProblem(error, Object.keys(options)));
  }
}
