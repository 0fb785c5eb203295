// rules.md: dossier, artifacts. A dossier, from its record to text, card, links and note.
import { beforeAll, describe, expect, test } from 'vitest';
import * as given from '../support/given.ts';
import { expectRefusal } from '../support/refusal.ts';
import { admin, call } from '../support/service.ts';
import { bridgeFor, push, send } from '../support/sync-sender.ts';
import * as then from '../support/then.ts';

const UNKNOWN = '0b2a4c6e-0000-4000-8000-000000000001';

let home: given.Home;
let acme: string;
let dana: string;
beforeAll(async () => {
  home = await given.workspace();
  const records = await given.companies(home.workspace_id);
  acme = String(records[0]?.id);
  dana = String(records[3]?.id);
  await admin({
    command: 'relationship.import',
    workspace_id: home.workspace_id,
    relationships: [{ from: { id: dana }, to: { id: acme }, type: 'works_at', metadata: { role: 'CTO' } }],
  });
});

const get = async (path: string) => (await call('GET', path, { key: home.key })).body;
const creates = (params: Record<string, unknown>, config = {}) =>
  call('POST', '/runs', { key: home.key, body: { input_type: 'preset', preset: 'dossier', params, config } });

async function dossier(params: Record<string, unknown>) {
  const created = await creates(params);
  expect(created.status).toBe(202);
  const run = await then.ended(home, created.body.id);
  expect(run.status).toBe('succeeded');
  const [text, card] = await Promise.all(
    run.artifacts.map(({ id }: { id: string }) => get(`/artifacts/${id}?include=links`)),
  );
  return { run, text, card };
}

const headingsOf = (content: string) => [...content.matchAll(/^## (.*)$/gm)].map((match) => match[1]);

describe('a dossier', () => {
  test('yields a text, then an entity card, and a message that links the record', async () => {
    const { run } = await dossier({ entity: { id: acme } });
    expect(run.artifacts.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'entity_card']);
    expect(run.message).toContain(`[Acme](entity=${acme})`);
    expect(run.usage.calls).toBe(5);
    await then.soundLog(home, run.id);
    const types = await then.eventTypes(home, run.id);
    expect(types.filter((type) => type === 'artifact.created')).toHaveLength(2);
  });

  test.each<[string, () => Record<string, unknown>]>([
    ['its id', () => ({ id: acme })],
    ['its id in upper case', () => ({ id: acme.toUpperCase() })],
    ['its URI', () => ({ external_uri: 'crm:acme' })],
    ['its external id', () => ({ external_id: 'A1', source: 'custom' })],
  ])('finds the record by %s, and echoes the reference as sent', async (_shape, ref) => {
    const { run, card } = await dossier({ entity: ref(), sections: ['Overview'] });
    expect(run.input.params).toEqual({ entity: ref(), sections: ['Overview'] });
    expect(card.content.entity.id).toBe(acme);
  });

  test('has five sections where none are named, none of them empty', async () => {
    const { text } = await dossier({ entity: { id: acme } });
    expect(headingsOf(text.content)).toEqual([
      'Overview',
      'Key attributes',
      'Relationships',
      'Recent activity',
      'Strategic insights',
    ]);
    for (const part of text.content.split(/^## .*$/m).slice(1)) expect(part.trim()).not.toBe('');
    expect(text.content).toContain('Berlin');
    expect(text.content).toContain('Dana Ito');
  });

  test('has the sections named, in their order, twelve of 80 characters at most', async () => {
    const sections = Array.from({ length: 12 }, (_, i) => `${12 - i} ${'ü'.repeat(77)}`.slice(0, 80));
    const { text, run } = await dossier({ entity: { id: acme }, sections });
    expect(headingsOf(text.content)).toEqual(sections);
    expect(run.usage.calls).toBe(12);
  });

  test('has the same heading twice where it was asked for twice', async () => {
    const { text } = await dossier({ entity: { id: acme }, sections: ['Risks', 'Risks'] });
    expect(headingsOf(text.content)).toEqual(['Risks', 'Risks']);
  });

  test('max_tokens is accepted at both bounds', async () => {
    for (const max_tokens of [256, 16_000])
      expect((await dossier({ entity: { id: acme }, max_tokens })).run.input.params.max_tokens).toBe(
        max_tokens,
      );
  });

  test('holds 100 credits and is charged 100', async () => {
    const own = await given.workspace({ credits: 150 });
    const [record] = await given.companies(own.workspace_id);
    const body = { input_type: 'preset', preset: 'dossier', params: { entity: { id: record?.id } } };
    const created = await call('POST', '/runs', { key: own.key, body });
    expect(created.body.usage).toMatchObject({ credits_at_most: 100, credits_used: null });
    expect((await then.ended(own, created.body.id)).usage.credits_used).toBe(100);
  });
});

describe('the card', () => {
  test('holds the record, its attributes, relationships and activity', async () => {
    const { card, run } = await dossier({ entity: { id: acme }, sections: ['Overview'] });
    const { entity_refs: _, ...body } = card;
    expect(body).toMatchObject({ object: 'artifact', kind: 'entity_card', run_id: run.id, title: 'Acme' });
    const { summary, recent_activity, as_of, ...content } = body.content;
    content.attributes.sort((a: { key: string }, b: { key: string }) => a.key.localeCompare(b.key));
    expect(content).toEqual({
      entity: {
        id: acme,
        name: 'Acme',
        type: 'company',
        external_uri: 'crm:acme',
        external_id: 'A1',
        source: 'custom',
      },
      attributes: [
        { key: 'city', label: 'City', value: 'Berlin' },
        { key: 'industry', label: 'Industry', value: 'Tools' },
        { key: 'revenue_musd', label: 'Revenue musd', value: 12.5 },
      ],
      relationships: [
        {
          entity_id: dana,
          name: 'Dana Ito',
          type: 'person',
          relationship_type: 'works_at',
          direction: 'in',
          role: 'CTO',
        },
      ],
    });
    expect(summary).not.toBe('');
    expect(recent_activity).toContainEqual({
      at: expect.any(Number),
      text: expect.stringMatching(/^Relationship added: Dana Ito works.+at Acme$/),
      direction: 'in',
    });
    expect(as_of).toBeGreaterThanOrEqual(run.created_at);
  });

  test('of a record without outside names has none', async () => {
    const { card } = await dossier({ entity: { id: dana }, sections: ['Overview'] });
    expect(card.content.entity).toEqual({ id: dana, name: 'Dana Ito', type: 'person' });
  });
});

describe('links and note', () => {
  test('both artifacts link the record they are about; without include=links there are no links', async () => {
    const { text, card } = await dossier({ entity: { id: acme }, sections: ['Overview'] });
    const link = { entity_id: acme, role: 'subject', is_primary: true, source: 'extractor' };
    expect(text.entity_refs).toEqual([
      { ...link, source_detail: 'dossier_subject', content_path: text.entity_refs[0].content_path },
    ]);
    expect(card.entity_refs).toEqual([
      { ...link, source_detail: 'entity_card_subject', content_path: card.entity_refs[0].content_path },
    ]);
    for (const { id } of [text, card])
      expect(await get(`/artifacts/${id}`)).not.toHaveProperty('entity_refs');
  });

  test('the note holds the text and names run, record and workspace', async () => {
    const { run, text } = await dossier({ entity: { id: acme }, sections: ['Overview'] });
    expect(run.note_ids).toHaveLength(1);
    const note = await get(`/notes/${run.note_ids[0]}`);
    expect(note).toEqual({
      id: run.note_ids[0],
      object: 'note',
      title: 'Dossier: Acme',
      content: text.content,
      run_id: run.id,
      entity_id: acme,
      workspace_id: home.workspace_id,
      created_at: expect.any(Number),
    });
    const foreign = await given.workspace();
    expectRefusal(await call('GET', `/notes/${note.id}`, { key: foreign.key }), 404, 'note_not_found');
    expect(await get(`/notes/${note.id.toUpperCase()}`)).toEqual(note);
  });
});

describe('no dossier', () => {
  test.each([
    ['an unknown id', { id: UNKNOWN }],
    ['an unknown URI', { external_uri: 'crm:nobody' }],
    ['an external id of another source', { external_id: 'A1', source: 'vault' }],
  ])('rule 8: on %s, and no run', async (_what, entity) => {
    const before = await get('/runs');
    expectRefusal(await creates({ entity }), 422, 'entity_not_resolvable', {
      param: 'params.entity',
      details: { ref: entity },
    });
    expect((await get('/runs')).data[0].id).toBe(before.data[0].id);
  });

  test('on a record of another workspace, or one that several records answer to, strict or not', async () => {
    const foreign = await given.workspace();
    const [theirs] = await given.companies(foreign.workspace_id);
    const own = await given.workspace({ features: ['WEBHOOK_INTEGRATION'] });
    // Each bridge has records of its own.
    for (const name of ['One', 'Two'])
      await send(await bridgeFor(own.workspace_id), push('company', 'twin', { name }));
    for (const entity of [{ id: theirs?.id }, { external_uri: 'company:twin' }])
      for (const strict_mode of [true, false]) {
        const body = { input_type: 'preset', preset: 'dossier', params: { entity }, config: { strict_mode } };
        const refused = await call('POST', '/runs', { key: own.key, body });
        expectRefusal(refused, 422, 'entity_not_resolvable', { param: 'params.entity' });
      }
  });

  test('where a section fails permanently: the run fails, names the section, and can be resumed', async () => {
    const created = await creates({ entity: { id: acme }, sections: ['Overview', 'Risks [[fail-once]]'] });
    const failed = await then.ended(home, created.body.id);
    expect(failed).toMatchObject({ status: 'failed', resumable: true, artifacts: [], note_ids: [] });
    expect(failed.errors[0]).toMatchObject({ code: 'model_unavailable', details: { step_index: 1 } });
    expect((await call('POST', `/runs/${failed.id}/resume`, { key: home.key })).status).toBe(202);
    const run = await then.ended(home, failed.id);
    expect(run).toMatchObject({ status: 'succeeded', errors: [] });
    const text = await get(`/artifacts/${run.artifacts[0].id}`);
    expect(headingsOf(text.content)[0]).toBe('Overview');
    expect(headingsOf(text.content)).toHaveLength(2);
  });
});
