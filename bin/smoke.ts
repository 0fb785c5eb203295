// `npm run --silent smoke -- --stack NAME [--region R]` or `-- --url BASE_URL --key API_KEY`: checks a deployment.
// Only with `--stack` can it put records into a workspace, and so check questions about them.
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { CliError } from './admin/cli-error.ts';
import { connect, outputOf, type Send } from './admin/connect-admin.ts';
import { smoke } from './smoke/checks.ts';
import type { RecordAdmin } from './smoke/records.ts';
import type { Service } from './smoke/requests.ts';

const options = {
  stack: { type: 'string' },
  region: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const USAGE = `usage: npm run --silent smoke -- --stack NAME [--region R]
       npm run --silent smoke -- --url BASE_URL --key API_KEY

Creates runs and checks their answers; prints the checks as JSON.

  --stack NAME     a deployed stack, such as RunService: a workspace is made for the checks, and deleted. Needs the
                   credentials of an administrator; also checks questions about records
  --region R       its region, where that is not the one of the environment
  --url BASE_URL   any service, such as http://127.0.0.1:8787/api/v1
  --key API_KEY    a key of it with the scopes runs:create, runs:read and artifacts:read
`;

const Workspace = z.object({ workspace_id: z.string() });
const Key = z.object({ api_key: z.string() });

/** Creates a workspace for the duration of `use`. Deleting it also revokes its key. */
async function onStack<T>(
  stack: string,
  region: string | undefined,
  use: (service: Service, admin: RecordAdmin) => Promise<T>,
): Promise<T> {
  const send: Send = await connect({ stack, region });
  const baseUrl = await outputOf('BaseUrl', stack, region);
  const { workspace_id } = Workspace.parse(
    await send({ command: 'workspace.create', name: 'Smoke test', tier: 'free' }),
  );
  try {
    const { api_key } = Key.parse(await send({ command: 'key.create', workspace_id, scopes: 'all' }));
    return await use({ baseUrl, apiKey: api_key }, { workspace_id, send });
  } finally {
    await send({ command: 'workspace.update', workspace_id, status: 'deleted' });
  }
}

/** The values of the flags. Throws CliError that names the one that is wrong. */
function readFlags() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    throw new CliError('invalid_arguments', error instanceof Error ? error.message : String(error));
  }
}

/** The address without a slash at its end. Throws CliError for one that no API is at. */
function baseUrlIn(url: string): string {
  const address = url.replace(/\/+$/, '');
  if (URL.canParse(address) && address.endsWith('/v1')) return address;
  const site = address.replace(/\/(docs|console)$/, '');
  throw new CliError('invalid_arguments', `--url ends in /api/v1: give --url ${site}/api/v1`);
}

async function main({ stack, region, url, key }: ReturnType<typeof readFlags>) {
  if (stack !== undefined) return onStack(stack, region, smoke);
  if (url !== undefined && key !== undefined) return smoke({ baseUrl: baseUrlIn(url), apiKey: key });
  throw new CliError('invalid_arguments', 'Give --stack NAME, or --url BASE_URL and --key API_KEY.');
}

const startedAt = Date.now();
try {
  const flags = readFlags();
  if (flags.help) process.stdout.write(USAGE);
  else console.log(JSON.stringify({ ...(await main(flags)), duration_ms: Date.now() - startedAt }));
} catch (error) {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const code = error instanceof CliError ? error.code : name;
  process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
  process.exitCode = 1;
}
