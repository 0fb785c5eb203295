// `link`: an address at which anyone can read an artifact for a while.
import { duration } from '../argument-parsers.ts';
import { plainLines } from '../output/plain.ts';
import { asking, commonFlags, oneId, valueFlag } from './command.ts';
import { command } from './define.ts';

const formats = ['json', 'jsonl', 'csv', 'md'] as const;

export const link = command(
  {
    brief: 'make a link to an artifact, which needs no key',
    positional: oneId('ARTIFACT', 'id of an artifact'),
    flags: {
      format: { kind: 'enum', values: formats, optional: true, brief: 'the format that it opens in' },
      expiresIn: valueFlag(duration, 'DURATION', 'how long it works, such as 2h; by default an hour'),
      ...commonFlags,
    },
  },
  asking(
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
);
