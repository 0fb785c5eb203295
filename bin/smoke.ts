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
} as const;

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

async function main() {
  const { stack, region, url, key } = parseArgs({ options }).values;
  if (stack !== undefined) return onStack(stack, region, smoke);
  if (url !== undefined && key !== undefined) return smoke({ baseUrl: url, apiKey: key });
  throw new CliError('invalid_arguments', 'Give --stack NAME, or --url BASE_URL and --key API_KEY.');
}

const startedAt = Date.now();
try {
  const done = await main();
  console.log(JSON.stringify({ ...done, duration_ms: Date.now() - startedAt }));
} catch (error) {
  const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) };
  const code = error instanceof CliError ? error.code : name;
  process.stderr.write(`${JSON.stringify({ error: { code, message } })}\n`);
  process.exitCode = 1;
}
