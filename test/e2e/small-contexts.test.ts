// rules.md: models 14, models 15. Models of 2,048 and of 8,192 tokens do the work of large ones: no prompt is too long.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { packVariable } from '#contract/packed-variable.ts';
import { demoEntities } from '../../functions/admin/demo-records.ts';
import type { Home } from '../support/given.ts';
import { type OpenAiServer, openAiServer } from '../support/openai-server.ts';
import { type OwnService, ownService } from '../support/own-service.ts';
import { call } from '../support/service.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';

describe.each([2048, 8192])('with a context of %s tokens', (context_tokens) => {
  /** Three characters a token; a quarter of the context is for the output. */
  const longest = (context_tokens - context_tokens / 4) * 3;
  let server: OpenAiServer;
  let own: OwnService;
  let home: Home;
  beforeAll(async () => {
    server = await openAiServer();
    const base_url = server.spec.slice(server.spec.indexOf('@') + 1);
    const price = { input: 1, cached_input: 0.1, output: 4 };
    const chat = [{ name: 'small', provider: 'openai', model: 'test', base_url, context_tokens, price }];
    own = await ownService({ MODELS: packVariable({ chat }) });
    home = await own.home({ companies: 0 });
    const imports = (entities: ReturnType<typeof demoEntities>) =>
      own.admin({ command: 'entity.import', workspace_id: home.workspace_id, entities });
    await imports(demoEntities());
    const text = 'Something was said of it. '.repeat(12);
    await imports(
      Array.from({ length: 200 }, (_, i) => ({ type: 'memo', name: `Memo ${i}`, fields: { text } })),
    );
  });
  afterAll(async () => {
    await own.stop();
    await server.close();
  });
  afterEach(() => {
    Object.assign(server, { asked: [] });
  });
  const tooLong = () => server.asked.filter(({ characters }) => characters > longest);

  test('a query over the demo is understood, planned and filtered', async () => {
    const body = { input_type: 'query', query: 'Which companies are in Berlin?' };
    const created = await call('POST', '/runs', { ...home, body });
    const run = await then.ended(home, created.body.id);
    expect(run.status).toBe('succeeded');
    expect(run.steps).toMatchObject([{ items_out: 24 }, { items_out: 4 }, {}]);
    expect(new Set(server.asked.map(({ task }) => task))).toEqual(
      new Set(['understand', 'plan', 'filter', 'reconstitute']),
    );
    expect(tooLong()).toEqual([]);
  });
  test('200 memos are analyzed, each of them', async () => {
    const { body } = await when.createsPlanRun(home, [
      { kind: 'fetch', params: { source: 'memo', limit: 200 } },
      { kind: 'analyze', instructions: 'What stands out?' },
    ]);
    const run = await then.ended(home, body.id);
    expect(run.status).toBe('succeeded');
    expect(run.warnings.filter(({ code }: { code: string }) => code === 'input_shortened')).toEqual([]);
    const read = server.asked.flatMap(({ data }) => data.items.map(({ name }: { name: string }) => name));
    expect(read).toHaveLength(200);
    expect(new Set(read).size).toBe(200);
    expect(server.asked.length).toBeGreaterThan(2);
    expect(run.usage.calls).toBe(server.asked.length);
    expect(tooLong()).toEqual([]);
  });
});
