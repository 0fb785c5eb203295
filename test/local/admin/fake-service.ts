// A fake of the service that the CLI talks to: answers Lambda invocations on loopback and records the commands.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

export type Received = Record<string, unknown> & { command: string };
export interface FakeService {
  dataDir: string;
  /** The commands, without who sends each as its client says. */
  received: Received[];
  /** Who sends each. */
  claims: unknown[];
  close(): Promise<void>;
}

/** Starts it; `answer` is what the admin function would return, a thrown Error is a crash of the function. */
export async function startFakeService(
  answer: (command: Received) => object | Promise<object>,
): Promise<FakeService> {
  const received: Received[] = [];
  const claims: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { claimed_caller, ...command } = (await json(request)) as Received;
    received.push(command);
    claims.push(claimed_caller);
    try {
      response.end(JSON.stringify(await answer(command)));
    } catch (error) {
      response.setHeader('x-amz-function-error', 'Unhandled');
      response.end(
        JSON.stringify({ errorType: 'Error', errorMessage: String(error), trace: ['at secret.ts'] }),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dataDir = mkdtempSync(join(tmpdir(), 'admin-cli-'));
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(dataDir, 'aws.json'),
    JSON.stringify({
      lambda_endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      access_key_id: 'test',
      secret_access_key: 'test',
      functions: { Admin: 'Admin' },
    }),
  );
  return {
    dataDir,
    received,
    claims,
    close: async () => {
      rmSync(dataDir, { recursive: true });
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
