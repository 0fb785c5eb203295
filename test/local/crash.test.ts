// A killed service: none of its work continues, and the next start has everything acknowledged.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { expect, test } from 'vitest';
import { startFixture } from './fixture/start.ts';

const serve = fileURLToPath(new URL('./fixture/serve.ts', import.meta.url));

async function portAnswers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = createConnection(Number(port), hostname);
  const answers = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'close').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return answers;
}

test('SIGKILL leaves no port, and loses nothing', async () => {
  const started = await startFixture();
  await started.runtime.stop();
  const service = spawn(process.execPath, [serve, started.dataDir, join(started.dataDir, 'cdk.out')]);
  const [line] = await once(createInterface(service.stdout), 'line');
  const { site_url, operator } = JSON.parse(String(line));
  const credentials = { accessKeyId: operator.access_key_id, secretAccessKey: operator.secret_access_key };
  const lambda = new LambdaClient({ endpoint: operator.lambda_endpoint, region: 'us-east-1', credentials });
  const Payload = JSON.stringify({
    action: 'put',
    input: { TableName: 'Table', Item: { pk: { S: 'kept' } } },
  });
  expect(
    (await lambda.send(new InvokeCommand({ FunctionName: 'Work', Payload }))).FunctionError,
  ).toBeUndefined();
  const exited = once(service, 'exit');
  service.kill('SIGKILL');
  await exited;
  expect(await portAnswers(site_url)).toBe(false);
  await started.restart();
  expect(await started.work('get', { TableName: 'Table', Key: { pk: { S: 'kept' } } })).toHaveProperty(
    'Item',
  );
  await started.end();
});
