// What the documented shell snippets need of curl and openssl: `node commands.ts curl|openssl <arguments>`.
import { createHash, createHmac } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const [command, ...args] = process.argv.slice(2);

async function curl(): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      silent: { type: 'boolean', short: 's' },
      header: { type: 'string', short: 'H', multiple: true },
      data: { type: 'string', short: 'd' },
      'data-binary': { type: 'string' },
      request: { type: 'string', short: 'X' },
    },
  });
  const headers = new Headers();
  for (const line of values.header ?? [])
    headers.set(line.split(':')[0] ?? '', line.replace(/^[^:]*: */, ''));
  const body = values.data ?? values['data-binary'];
  const [url = ''] = positionals;
  const method = values.request ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  return response.text();
}

async function openssl(): Promise<string> {
  const { values } = parseArgs({
    args: args.slice(1).map((arg) => arg.replace(/^-(?=[a-z])/, '--')),
    options: { sha256: { type: 'boolean' }, hex: { type: 'boolean' }, hmac: { type: 'string' } },
  });
  const text = await buffer(process.stdin);
  const hash = values.hmac === undefined ? createHash('sha256') : createHmac('sha256', values.hmac);
  return `SHA2-256(stdin)= ${hash.update(text).digest('hex')}\n`;
}

process.stdout.write(command === 'curl' ? await curl() : await openssl());
