// The admin function's answers when a command cannot be carried out.
import { beforeAll, expect, test, vi } from 'vitest';
import { log } from '#platform/log.ts';

let handler: typeof import('../../../functions/admin/admin.ts')['handler'];
beforeAll(async () => {
  vi.stubEnv('POWERTOOLS_LOG_LEVEL', 'SILENT');
  vi.stubEnv('TABLE_NAME', '');
  ({ handler } = await import('../../../functions/admin/admin.ts'));
});

const context = { awsRequestId: 'r' };

test.each([
  [{}],
  [null],
  ['seed_demo'],
  [{ command: 'workspace.drop' }],
  [{ command: 'seed_demo', force: true }],
  [{ command: 'seed_demo', claimed_caller: 'x'.repeat(2049) }],
])('%j is answered with invalid_arguments', async (event) => {
  expect(await handler(event, context)).toEqual({
    error: { code: 'invalid_arguments', message: expect.any(String) },
  });
});

test('a failure inside is answered with internal_error, without its cause', async () => {
  const answer = await handler(
    { command: 'workspace.show', workspace_id: '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4' },
    context,
  );
  expect(answer).toEqual({ error: { code: 'internal_error', message: expect.any(String) } });
  expect(JSON.stringify(answer)).not.toContain('TABLE_NAME');
});

// rules.md: admin 11.
test('a command leaves a line that says what was asked of which workspace, and who says to ask; nothing else that it contains', async () => {
  const lines = vi.spyOn(log, 'info').mockImplementation(() => undefined);
  const workspace_id = '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4';
  const claimed_caller = 'arn:aws:sts::123456789012:assumed-role/Operator/ada';
  const command = { command: 'key.create', workspace_id, scopes: ['runs:read'], name: 'Secret plan' };
  await handler({ ...command, claimed_caller }, context);
  await handler({ command: 'seed_demo' }, context);
  expect(lines.mock.calls).toEqual([
    ['admin command', { command: 'key.create', workspace_id, claimed_caller, request_id: 'r' }],
    ['admin command', { command: 'seed_demo', request_id: 'r' }],
  ]);
  lines.mockRestore();
});
