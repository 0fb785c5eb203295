// Cancel against finish: each run is canceled at a moment between its creation and well after its end; one end wins,
// reported and billed once.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunEvent } from '../../../../functions/contract/events.ts';
import * as when from '../../../support/when.ts';
import { random } from '../../random.ts';
import { inParallel, patiently } from '../../work.ts';
import type { Workload } from '../campaign.ts';
import type { Ended } from '../checkers/ends.ts';
import { finishedLog, partOf, untilItWorks, type World } from '../world.ts';

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

function due(log: readonly RunEvent[], status: string): number {
  if (status === 'failed') return 0;
  const prices = log.map((event) =>
    event.event_type === 'step.completed' ? (PRICES[Number(event.data.step_index)] ?? 0) : 0,
  );
  return prices.reduce((sum, price) => sum + price, 0);
}

/** So many runs in all, ten at once. */
export function cancels(count: number): Workload {
  const ended: Ended[] = [];
  let underWay = 0;
  let reachMs = FIRST_REACH_MS;

  async function one(world: World, index: number): Promise<void> {
    const { service, seed, breaches } = world;
    const isFailing = index % FAILING === 0;
    const instructions = `[[delay:${MODEL_MS}]]${isFailing ? '[[fail]]' : ''} slow`;
    const asked = { input_type: 'plan', plan: when.plan(...steps(instructions)) };
    const { id } = await untilItWorks(() =>
      service.call<{ id: string }>('POST', '/runs', asked, `${seed} run ${index}`),
    );
    await wait((random(seed, index).below(1000) / 1000) * reachMs);
    const answer = await patiently(() => service.ask({ method: 'POST', path: `/runs/${id}/cancel` }));
    const log = await finishedLog(world, id);
    const run = await untilItWorks(() => service.call<Ended['remains']['run']>('GET', `/runs/${id}`));
    if (answer.body.status !== run.status)
      breaches.push(
        `run ${index} ${id} ${run.status}: cancel answered ${answer.status} ${JSON.stringify(answer.body)}`,
      );
    const statuses = ['canceled', isFailing ? 'failed' : 'succeeded'];
    ended.push({
      name: `run ${index}`,
      remains: { run, log },
      must: { statuses, credits: due(log, run.status) },
    });
    reachMs *= run.status === 'canceled' ? REACH_STEP : 1 / REACH_STEP;
  }

  return {
    least_operations: 1,

    async round(world, round, rounds) {
      const { from, size } = partOf(count, round, rounds);
      await inParallel(AT_ONCE, size, async (i) => {
        underWay += 1;
        await one(world, from + i).catch((error) => void world.breaches.push(`run ${from + i}: ${error}`));
        underWay -= 1;
      });
    },

    inFlight: async () => underWay,

    async readBack({ breaches, figures }) {
      const share = ended.filter(({ remains }) => remains.run.status === 'canceled').length / count;
      if (Math.min(share, 1 - share) < (count < FEW_RUNS ? LEAST_SHARE_OF_FEW : LEAST_SHARE))
        breaches.push(`a share of ${share} was canceled`);
      figures.reach_ms = Math.round(reachMs);
      return ended;
    },
  };
}
