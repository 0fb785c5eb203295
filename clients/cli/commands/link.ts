// `link`: an address at which anyone can read an artifact for a while.
import { buildCommand } from '@stricli/core';
import { duration } from '../argument-parsers.ts';
import { plainLines } from '../output/plain.ts';
import type { Context } from '../surroundings.ts';
import { asking, type CommonFlags, commonFlags, oneId, valueFlag } from './command.ts';

const formats = ['json', 'jsonl', 'csv', 'md'] as const;

interface Flags extends CommonFlags {
  readonly format?: (typeof formats)[number];
  readonly expiresIn?: number;
}

export const link = buildCommand<Flags, [string], Context>({
  docs: { brief: 'make a link to an artifact, which needs no key' },
  parameters: {
    positional: oneId('ARTIFACT', 'id of an artifact'),
    flags: {
      format: { kind: 'enum', values: formats, optional: true, brief: 'the format that it opens in' },
      expiresIn: valueFlag(duration, 'DURATION', 'how long it works, such as 2h; by default an hour'),
      ...commonFlags,
    },
  },
  func: asking(
    ({ artifacts }, options, { format, expiresIn }, id) => {
      const body = {
        ...(format && { format }),
        ...(expiresIn !== undefined && { expires_in_seconds: Math.round(expiresIn / 1000) }),
      };
      return artifacts.link(id, body, options);
    },
    ({ url }) => plainLines([url]),
    ({ expires_at }) => `works until ${new Date(expires_at).toISOString()}, for everyone who has it`,
  ),
});
