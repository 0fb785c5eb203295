// Streams cut again and again: whatever is cut and when, a reader that resumes where it was sees each event once, in
// order, to the end.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '../../../functions/contract/events.ts';
import type { Home } from '../../support/given.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { random } from '../random.ts';
import { inParallel, logToItsEnd, patiently } from '../work.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { type Reading, readStream } from './stream-reader.ts';

const STREAMS_PER_RUN = 10;
const CREATES_AT_ONCE = 4;
/** One stream in this many is never cut, so that the service itself must end it. */
const PATIENT = 10;
/** Steps last these shares of the trial, so that silences of every length come. */
const STEP_SHARES = [0.005, 0.03, 0.08];
const MAX_STEPS = 50;
const STARTED_WITHIN_MS = 10;

type Figures = Readonly<Record<'streams' | 'cuts' | 'seconds' | 'seed', number>>;

/** Starts a run that lasts about `seconds`. */
async function longRun(home: Home, { seconds, seed }: Figures, index: number): Promise<string> {
  const chance = random(seed, index);
  const steps: Record<string, unknown>[] = [];
  for (let ms = 0; ms < seconds * 1000 && steps.length < MAX_STEPS; ) {
    const lasts = Math.round(chance.pick(STEP_SHARES) * seconds * 1000);
    steps.push({ kind: 'analyze', instructions: `[[delay:${lasts}]] what stands out` });
    ms += lasts;
  }
  const headers = { 'Idempotency-Key': `run ${index}` };
  const { status, body } = await patiently(() => when.createsPlanRun(home, steps, {}, headers));
  if (status !== 202 && status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

/** Reads `streams` streams of runs that last `seconds`, and cuts them `cuts` times in all. */
export async function cutStreams(service: ProvedService, figures: Figures): Promise<Findings> {
  const { streams, cuts, seconds, seed } = figures;
  const runs = Math.ceil(streams / STREAMS_PER_RUN);
  const all: { home: Home; id: string }[] = [];
  // A workspace for each run, because a stream that was cut counts among those of its key until it ends.
  await inParallel(CREATES_AT_ONCE, runs, async (i) => {
    const home = await newHome(service);
    all[i] = { home, id: await longRun(home, figures, i) };
  });
  const proxy = await cuttingProxy(service.site_url);
  const impatient = streams - Math.ceil(streams / PATIENT);
  const readings = await Promise.all(
    Array.from({ length: streams }, async (_, i): Promise<Reading> => {
      await wait(i * STARTED_WITHIN_MS);
      const share = i % PATIENT === 0 ? 0 : cuts / impatient;
      const wanted = Math.ceil(share);
      const own = all[i % runs];
      if (!own) throw new Error('a stream without a run');
      return readStream({
        ...own,
        proxied: proxy.site_url,
        cuts: wanted,
        everyMs: wanted === 0 ? 0 : (seconds * 1000) / (wanted + 1),
        chance: random(seed, runs + i),
      });
    }),
  );
  proxy.close();
  const logs: RunEvent[][] = [];
  await inParallel(CREATES_AT_ONCE, runs, async (i) => {
    const own = all[i];
    if (own) logs[i] = await logToItsEnd(own.home, own.id);
  });
  const breaches = readings.flatMap(({ seen, breaches: found }, i) => {
    const due = logs[i % runs]?.map(({ id }) => id) ?? [];
    const differs = seen.join() === due.join() ? [] : [`saw ${seen.length} events of ${due.length}`];
    return [...found, ...differs].map((what) => `stream ${i}: ${what}`);
  });
  if (proxy.cuts() < cuts) breaches.push(`only ${proxy.cuts()} cuts`);
  const sum = (of: (one: Reading) => number) => readings.reduce((all, one) => all + of(one), 0);
  return {
    breaches,
    runs,
    events: sum(({ seen }) => seen.length),
    connections: sum(({ connections }) => connections),
    cuts_made: proxy.cuts(),
    heartbeats: sum(({ heartbeats }) => heartbeats),
    expired: sum(({ expired }) => expired),
    worst_silence_ms: Math.max(...readings.map(({ worst_silence_ms }) => worst_silence_ms)),
  };
}
