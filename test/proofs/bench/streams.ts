// Open streams during creates: `npm run prove -- bench:streams [--streams 200] [--runs 50] [--seconds 15] [--rate 20]`,
// one JSON report.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { limits } from '../../../functions/contract/limits.ts';
import { admin, end, liftLimits, startChild } from './child.ts';
import { create, inParallel, request, type Target } from './client.ts';
import { percentile, residentMb, spread } from './figures.ts';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '200' },
    runs: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '15' },
    rate: { type: 'string', default: '20' },
  },
});
const figure = (text: string) => {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is no figure`);
  return number;
};
const streams = figure(values.streams);
const runs = figure(values.runs);
const seconds = figure(values.seconds);
const rate = figure(values.rate);

const STEP_MS = 1_500;
/** Steps of different runs last differently, or all runs would write in the same instant. */
const SPREAD_MS = 600;
/** Streams must outlast the creates, whatever the machine makes of them. */
const SPARE_STEPS = 6;

/** A run that writes two events every 1.5 s or so, for somewhat longer than the bench creates. */
async function longRun(target: Target, index: number): Promise<string> {
  const stepMs = STEP_MS + Math.round(SPREAD_MS * (index / runs - 0.5));
  const steps = Array.from({ length: Math.ceil((seconds * 1000) / STEP_MS) + SPARE_STEPS }, (_, i) => ({
    kind: 'analyze',
    title: `Step ${i}`,
    instructions: `[[delay:${stepMs}]] findings`,
    params: { context_step_ids: [0] },
  }));
  const fetched = { kind: 'fetch', title: 'Companies', params: { source: 'companies', limit: 2 } };
  const plan = { title: 'Long', steps: [fetched, ...steps].slice(0, 50) };
  return String((await request(target, 'POST', '/runs', 202, { input_type: 'plan', plan })).id);
}

interface Watched {
  opened: number;
  ended: number;
  /** Events that came in wrong order, twice, or not at all. */
  faults: number;
  seen_ms: number[];
}

/** Reads one stream to its end; how late each event came counts from its commit, for events after the opening. */
async function watch(target: Target, id: string, watched: Watched): Promise<void> {
  const { event_token } = await request(target, 'POST', `/runs/${id}/events/token`, 200);
  const response = await fetch(`${target.base_url}/runs/${id}/events/stream?event_token=${event_token}`);
  const openedAt = Date.now();
  watched.opened += 1;
  let text = '';
  let last = 0;
  let final = '';
  for await (const piece of response.body ?? []) {
    text += Buffer.from(piece).toString();
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (!data) continue;
      const event = JSON.parse(data);
      if (event.sequence !== last + 1) watched.faults += 1;
      last = event.sequence;
      final = event.event_type;
      if (event.occurred_at > openedAt) watched.seen_ms.push(Date.now() - event.occurred_at);
    }
  }
  if (!/^run\.(succeeded|failed|canceled)$/.test(final)) watched.faults += 1;
  watched.ended += 1;
}

/** Creates at the rate, whether earlier ones are answered or not. */
async function createAtRate(target: Target): Promise<{ took_ms: number[]; errors: string[] }> {
  const took_ms: number[] = [];
  const errors: string[] = [];
  const begun = Date.now();
  const all: Promise<void>[] = [];
  for (let i = 0; i < seconds * rate; i += 1) {
    const due = begun + (i * 1000) / rate;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - Date.now())));
    all.push(
      create(target).then(
        (created) => void took_ms.push(created.took_ms),
        (error: unknown) => void errors.push(String(error)),
      ),
    );
  }
  await Promise.all(all);
  return { took_ms, errors };
}

const home = mkdtempSync(join(tmpdir(), 'run-service-streams-'));
const { child, target } = await startChild(home);
const pid = child.pid ?? 0;
try {
  await liftLimits(home, target.workspace_id);
  const ids: string[] = [];
  await inParallel(8, runs, async () => void ids.push(await longRun(target, ids.length)));
  const memory = [residentMb(pid)];
  // A key may have a hundred streams open.
  const readers: Target[] = [];
  for (let i = 0; i < streams / limits.streams_per_key_max; i += 1) {
    const { api_key } = await admin(
      home,
      'key',
      'create',
      '--workspace',
      target.workspace_id,
      '--scopes',
      'all',
    );
    readers.push({ ...target, api_key: String(api_key) });
  }
  const watched: Watched = { opened: 0, ended: 0, faults: 0, seen_ms: [] };
  const reading = Array.from({ length: streams }, (_, i) =>
    watch(readers[i % readers.length] ?? target, ids[i % ids.length] ?? '', watched),
  );
  const sampling = setInterval(() => memory.push(residentMb(pid)), 2_000);
  const { took_ms, errors } = await createAtRate(target);
  await Promise.all(reading);
  clearInterval(sampling);
  const report = {
    streams: { opened: watched.opened, ended: watched.ended, faults: watched.faults },
    event_seen: { ...spread(watched.seen_ms), p90_ms: percentile(watched.seen_ms, 90) },
    creates: { ...spread(took_ms), errors: errors.length, first_error: errors[0] },
    memory_mb: memory,
  };
  process.stdout.write(`${JSON.stringify(report)}\n`);
  const right = watched.faults === 0 && watched.ended === streams && errors.length === 0;
  process.exitCode = right ? 0 : 1;
} finally {
  await end(child);
  rmSync(home, { recursive: true, force: true });
}
