// The fixtures of the clients are real events and deliveries. `npm run examples` records them.
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventTypes } from '../../functions/contract/events.ts';
import { JobCanceled, JobRequested } from '../../functions/contract/jobs.ts';
import * as given from '../support/given.ts';
import { admin, call, sharedService, until } from '../support/service.ts';
import { stabilizer } from '../support/stable-replies.ts';
import { eventsOf, streamUrl, token } from '../support/streams.ts';
import * as then from '../support/then.ts';
import * as when from '../support/when.ts';
import { type Told, worker } from '../support/worker.ts';
import { customer, status } from './webhook-receiver.ts';

const folder = new URL('../../clients/sdk/fixtures/', import.meta.url);
const find = (instructions: string) => ({ kind: 'analyze', instructions });

interface Kept {
  event_type: string;
}

/** Every event of runs that together have all types, in order. */
async function eventsOfRuns(home: given.Home, callback_url: string): Promise<Kept[]> {
  const asked = (await when.createsQueryRun(home, 'Companies in Berlin')).body.id;
  const slogans = {
    kind: 'transform',
    instructions: 'Write a slogan [[delay:1100]]',
    params: { output_fields: ['slogan'] },
  };
  const plan = [when.fetchCompanies, slogans, find('[[transient:1]] What stands out?'), when.answer];
  const done = (await when.createsPlanRun(home, plan, { callback_url })).body.id;
  const failing = [when.fetchCompanies, find('[[fail-once]]')];
  const mended = (await when.createsPlanRun(home, failing, { callback_url })).body.id;
  for (const id of [asked, done, mended]) await then.ended(home, id);
  await when.resumes(home, mended);
  await then.ended(home, mended);
  await admin({ command: 'maintenance.start', workspace_id: home.workspace_id });
  const paused = (await when.createsPlanRun(home, [when.fetchCompanies])).body.id;
  await then.event(home, paused, 'run.paused');
  const event_token = await token(home, paused);
  const stream = await eventsOf(await fetch(streamUrl(paused, { event_token, max_ms: '1000' })));
  await call('POST', `/runs/${paused}/cancel`, { key: home.key });
  await admin({ command: 'maintenance.end', workspace_id: home.workspace_id });
  const expired = stream.filter(({ event }) => event === 'connection.expired');
  const logs = await Promise.all([asked, done, mended, paused].map((id) => when.readsLog(home, id)));
  const logged = logs.flat().map((event) => ({ ...event, event_type: String(event.event_type) }));
  return [...logged, ...expired.map(({ data }): Kept => JSON.parse(data ?? ''))];
}

/** What a worker is sent about a job whose run is then canceled. */
async function messagesOfJob(home: given.Home): Promise<Told[]> {
  const scorer = await worker(home, { name: 'scorer', entity_type: 'score' });
  const score = { kind: 'fetch', title: 'Score', instructions: 'Score each company.' };
  const params = { source: 'scorer', context_step_ids: [0], limit: 2 };
  const plan = [
    { ...when.fetchCompanies, params: { source: 'companies', limit: 2 } },
    { ...score, params },
  ];
  const { id } = (await when.createsPlanRun(home, plan)).body;
  await scorer.job(id);
  await call('POST', `/runs/${id}/cancel`, { key: home.key });
  await until('the last message', async () => scorer.told('job.canceled')[0]);
  await scorer.close();
  const [requested, canceled] = [scorer.told('job.requested')[0], scorer.told('job.canceled')[0]];
  return [JobRequested.parse(requested), JobCanceled.parse(canceled)];
}

/** The names and kinds of what a value holds. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, shapeOf(inner)]),
  );
}

test('the fixtures are events, webhooks and messages about jobs as the service sends them, one of each type', async () => {
  const home = await given.workspace({ features: ['WEBHOOK_INTEGRATION'], credits: 5000 });
  await given.companies(home.workspace_id);
  const { url, received } = await customer(status(200));
  const events = await eventsOfRuns(home, url);
  // The run that is resumed has two deliveries.
  await until('the deliveries', async () => received.length >= 3 || undefined);
  const sent = received.map(({ body }): Kept => JSON.parse(body.toString()));
  const ofTypes = (all: readonly Kept[], types: readonly string[]) =>
    types.map((type) => [type, all.find((one) => one.event_type === type)] as const);
  const messages = await messagesOfJob(home);
  const stable = stabilizer(sharedService().site_url);
  const recorded = {
    events: ofTypes(events, eventTypes).map(([type, event]) => [type, stable(event)] as const),
    webhooks: ofTypes(sent, ['run.succeeded', 'run.failed']).map(
      ([type, body]) => [type, Object.assign({}, stable(body), { occurred_at: 1_795_176_001 })] as const,
    ),
    jobs: ['job.requested', 'job.canceled'].map(
      (type) => [type, stable(messages.find(({ event }) => event === type))] as const,
    ),
  };
  for (const [kind, all] of Object.entries(recorded))
    for (const [type, content] of all) {
      const file = new URL(`${kind}/${type}.json`, folder);
      if (content === undefined) throw new Error(`no ${type} came`);
      if (process.env.RECORD) writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
      // What they hold depends on the machine's speed, as the items after which progress is written.
      expect(shapeOf(content), type).toEqual(shapeOf(JSON.parse(readFileSync(file, 'utf8'))));
    }
});
