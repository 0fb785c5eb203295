// Judges a live source: `SOURCE_SECRET=… npm run judge:source -- URL [--header "Name: value"]…`. Prints a line for each
// check; exit code 1 if one fails.
import { parseArgs } from 'node:util';
import { createOutbound } from '../functions/outbound/request.ts';
import { loopbackToo } from '../lib/local/cli/loopback-address-policy.ts';
import { type Asked, checks, verdictOf } from './judge-source/checks.ts';

const USAGE = 'SOURCE_SECRET=… npm run judge:source -- URL [--header "Name: value"]…';

/** The source that the command line names. Throws Error. */
function asked(): Asked {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { header: { type: 'string', multiple: true, default: [] } },
  });
  const [url, ...others] = positionals;
  const secret = process.env.SOURCE_SECRET;
  if (url === undefined || others.length > 0) throw new Error('name one address');
  if (secret === undefined || secret === '') throw new Error('SOURCE_SECRET is not set');
  const headers = Object.fromEntries(
    values.header.map((line) => {
      const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`--header ${line}: not of the form "Name: value"`);
      return [name, value];
    }),
  );
  // A source under development may be on this machine.
  return { url, secret, headers, ...createOutbound({ policy: loopbackToo }) };
}

try {
  const source = asked();
  for (const [name, check] of Object.entries(checks)) {
    const wrong = await verdictOf(check, source);
    process.stdout.write(wrong === undefined ? `ok      ${name}\n` : `failed  ${name}: ${wrong}\n`);
    if (wrong !== undefined) process.exitCode = 1;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
  process.exitCode = 2;
}
