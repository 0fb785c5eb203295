// Dynoxide, another DynamoDB engine: one in-memory program on loopback.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectDynamoDb } from '../../lib/local/dynamodb/other-engine.ts';
import { type LocalServer, startServer } from './local-server.ts';

const PACKAGE = '@dynoxide/linux-x64';
const VERSION = '1.2.1';

/** Whether there is a binary for this machine. */
export const isDynoxideHere = process.platform === 'linux' && process.arch === 'x64';

/** Whether a DynamoDB engine answers at an address. */
export async function isTableServiceAt(url: string): Promise<boolean> {
  const { answers, stop } = connectDynamoDb(url);
  const ready = await answers();
  await stop();
  return ready;
}

/** Starts an empty engine. Throws when it does not answer in time. */
export const startDynoxide = (): Promise<LocalServer> =>
  startServer({
    name: 'dynoxide',
    command: join(installed(), 'node_modules', PACKAGE, 'dynoxide'),
    args: (port) => ['--host', '127.0.0.1', '--port', String(port)],
    stdio: 'ignore',
    isReady: isTableServiceAt,
    ready_ms: 20_000,
    look_ms: 20,
  });

/** The folder in which npm has installed it, once for an installation: one judge alone needs it. */
function installed(): string {
  const folder = fileURLToPath(new URL(`../../node_modules/.cache/dynoxide-${VERSION}`, import.meta.url));
  if (existsSync(folder)) return folder;
  process.stderr.write('Installing Dynoxide, another DynamoDB engine (once, 8 MB) …\n');
  mkdirSync(dirname(folder), { recursive: true });
  // Appears whole, so that half an installation is never started.
  const made = mkdtempSync(`${folder}-`);
  writeFileSync(join(made, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, `${PACKAGE}@${VERSION}`], {
    cwd: made,
    stdio: ['ignore', 2, 2],
  });
  renameSync(made, folder);
  return folder;
}
