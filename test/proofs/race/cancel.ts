// Cancel against finish: each run is canceled at a moment between its creation and well after its end; one end wins,
// reported and billed once.
import type { RunEvent } from '../../../functions/contract/events.ts';
import type { Home } from '../../support/given.ts';
import * as when from '../../support/when.ts';
import { judgeHere } from '../histories/checker.ts';
import { createRecorder, recorded } from '../histories/recorder.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { random } from '../random.ts';
import { endsIn, inParallel, logToItsEnd, patiently } from '../work.ts';

const AT_ONCE = 10;
/** Credits of the two steps. */
const PRICES = [1, 20];
/** Each outcome must come this often, or the moments were chosen badly; a few runs find the right moments late. */
const LEAST_SHARE = 0.2;
const FEW_RUNS = 500;
const LEAST_SHARE_OF_FEW = 0.04;
/**
 * Uniform offsets reach up to this at first, then so far that about half of the cancels come too late, whatever the
 * machine's pace.
 */
const FIRST_REACH_MS = 100;
const REACH_STEP = 1.1;
/** The model takes this long, so that a cancel can come in time however fast the machine is. */
const MODEL_MS = 100;
/** One run in this many fails when it is not canceled. */
const FAILING = 5;

const steps = (instructions: string) => [
  { kind: 'inject_context', params: { text: 'x' } },
  { kind: 'analyze', instructions },
];

interface Race {
  home: Home;
  /** Records what clients see. */
  call: ReturnType<typeof recorded>;
  ends: Record<string, number>;
  credits_used: number;
  reach_ms: number;
  breaches: string[];
}

async function creates({ home, call }: Race, index: number): Promise<string> {
  const instructions = `[[delay:${MODEL_MS}]]${index % FAILING === 0 ? '[[fail]]' : ''} slow`;
  const headers = { 'Idempotency-Key': `run ${index}` };
  const asked = { input_type: 'plan', plan: when.plan(...steps(instructions)) };
  const { status, body } = await patiently(() => call('POST', '/runs', { ...home, body: asked, headers }));
  if (status !== 202 && status !== 200) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
  return body.id;
}

function due(log: readonly RunEvent[], status: string): number {
  if (status === 'failed') return 0;
  const done = log.filter(({ event_type }) => event_type === 'step.completed');
  return done.reduce((sum, { data }) => sum + (PRICES[Number(Reflect.get(data, 'step_index'))] ?? 0), 0);
}

async function raceOne(race: Race, index: number, share: number): Promise<void> {
  const { home, call, breaches } = race;
  const id = await creates(race, index);
  await new Promise((resolve) => setTimeout(resolve, share * race.reach_ms));
  const answer = await patiently(() => call('POST', `/runs/${id}/cancel`, { ...home }));
  const log = await logToItsEnd(home, id);
  const { body: run } = await patiently(() => call('GET', `/runs/${id}`, { ...home }));
  const ends = endsIn(log).map(({ event_type }) => event_type);
  const credits = due(log, run.status);
  const checks: [string, boolean][] = [
    [`cancel answered ${answer.status} ${JSON.stringify(answer.body)}`, answer.body.status === run.status],
    [`told ${ends}`, ends.join() === `run.${run.status}` && log.at(-1)?.event_type === ends[0]],
    ['a gap in the log', log.every(({ sequence }, i) => sequence === i + 1)],
    [`${run.usage.credits_used} credits for ${credits}`, run.usage.credits_used === credits],
    ['a status that cannot be', run.status !== (index % FAILING === 0 ? 'succeeded' : 'failed')],
  ];
  for (const [what, holds] of checks) if (!holds) breaches.push(`run ${index} ${id} ${run.status}: ${what}`);
  race.ends[run.status] = (race.ends[run.status] ?? 0) + 1;
  race.credits_used += credits;
  race.reach_ms *= run.status === 'canceled' ? REACH_STEP : 1 / REACH_STEP;
}

/** Cancels `runs` runs, each at a uniform offset from its creation. */
export async function raceCancels(
  service: ProvedService,
  { runs, seed }: Readonly<Record<'runs' | 'seed', number>>,
): Promise<Findings> {
  const home = await newHome(service, { credits: 100 * runs });
  const recorder = createRecorder();
  const race: Race = {
    ...{ home, call: recorded(recorder) },
    ...{ ends: {}, credits_used: 0, reach_ms: FIRST_REACH_MS, breaches: [] },
  };
  await inParallel(AT_ONCE, runs, (i) =>
    raceOne(race, i, random(seed, i).below(1000) / 1000).catch(
      (error) => void race.breaches.push(`run ${i}: ${error}`),
    ),
  );
  const { breaches, ends, credits_used, reach_ms } = race;
  const share = (ends.canceled ?? 0) / runs;
  if (Math.min(share, 1 - share) < (runs < FEW_RUNS ? LEAST_SHARE_OF_FEW : LEAST_SHARE))
    breaches.push(`a share of ${share} was canceled`);
  const after = await service.admin({ command: 'workspace.show', workspace_id: home.workspace_id });
  const found = [after.runs_in_flight, after.credits_held, after.credits_left];
  const wanted = [0, 0, 100 * runs - credits_used];
  if (found.join() !== wanted.join()) breaches.push(`slots, held and left are ${found}, not ${wanted}`);
  const { judged, breaches: contradictions } = judgeHere([recorder.operations]);
  breaches.push(...contradictions);
  return { breaches, judged, ends, credits_used, reach_ms: Math.round(reach_ms) };
}
