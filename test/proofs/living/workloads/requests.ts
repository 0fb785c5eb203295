// Histories: many clients work on a few keys at once and do whatever a client may do, in an order that a seed gives.
import { setTimeout as wait } from 'node:timers/promises';
import type { HttpReply } from '../../../support/service.ts';
import type { Ask } from '../../ask.ts';
import { type Random, random } from '../../random.ts';
import { inParallel, isFinished } from '../../work.ts';
import type { Workload } from '../campaign.ts';
import { createRecorder, type Recorder, wasRefused } from '../checkers/recorder.ts';
import { workerSources } from '../workers.ts';

export interface Plan {
  seed: number;
  /** Of the history. */
  number: number;
  clients: number;
  /** Of each client. */
  operations: number;
  keys: number;
  /** Of every run: the checker expects a webhook for each end. */
  callback_url: string;
}

/** What a history leaves to be read at the end. */
export interface Lived {
  /** Runs that an answer named. */
  runs: string[];
  operations: number;
}

const analyze = (instructions: string) => ({ kind: 'analyze', title: 'Look', instructions });
const asksWorkers = (i: number) => ({ kind: 'fetch', title: 'Ask', params: { source: workerSources[i] } });
const kinds = [
  [analyze('[[delay:40]] first'), analyze('second')],
  [analyze('[[delay:300]] first'), analyze('[[delay:200]] second'), analyze('third')],
  [analyze('first'), analyze('[[delay:60]][[fail-once]] second'), analyze('third')],
  [analyze('[[delay:80]] first'), analyze('[[fail]] second')],
  [asksWorkers(0), analyze('second')],
  [asksWorkers(2), asksWorkers(0)],
  [analyze('[[delay:40]] first'), asksWorkers(1), asksWorkers(2)],
];

/** The model of its service is away for 15 s, and the runs of the next histories wait, too. */
const goesAway = [analyze('[[transient:3]] first'), analyze('second')];
const OF_SO_MANY_HISTORIES = 10;

/** The body that a key stands for; `other` is one that it does not. */
function bodyOf({ seed, number, callback_url }: Plan, k: number, other: boolean): object {
  const isAway = k === 0 && number % OF_SO_MANY_HISTORIES === OF_SO_MANY_HISTORIES - 1;
  const steps = isAway ? goesAway : (kinds[(seed + number + k) % kinds.length] ?? []);
  return {
    input_type: 'plan',
    plan: { title: other ? 'Other' : 'One', steps },
    metadata: { key: keyOf({ seed, number }, k) },
    callback_url,
  };
}

const keyOf = ({ seed, number }: Pick<Plan, 'seed' | 'number'>, k: number) => `${seed} ${number} ${k}`;

/** Lives through one history. What an operation answers is the recorder's to remember. */
export async function liveThrough(send: Ask, plan: Plan): Promise<Lived> {
  const since = Date.now();
  const runs = new Set<string>();
  let operations = 0;
  const learn = (answered: HttpReply) => {
    if (answered.status < 300) runs.add(answered.body.id);
  };
  const create = async (chance: Random) => {
    const k = chance.below(plan.keys);
    const body = bodyOf(plan, k, chance.chance(0.1));
    learn(await send({ method: 'POST', path: '/runs', body, idempotency_key: keyOf(plan, k) }));
  };
  const rerun = async (chance: Random, run: string) => {
    const body = { step_index: chance.below(2) };
    const idempotency_key = `${run} ${body.step_index}`;
    learn(await send({ method: 'POST', path: `/runs/${run}/rerun-from`, body, idempotency_key }));
  };
  const act = async (chance: Random): Promise<unknown> => {
    const what = chance.below(100);
    const known = [...runs];
    if (known.length === 0 || what < 20) return create(chance);
    // Clients meet most at the newest runs.
    const run = chance.pick(chance.chance(0.6) ? known.slice(-3) : known);
    if (what < 45) return send({ method: 'GET', path: `/runs/${run}` });
    if (what < 60) return send({ method: 'GET', path: `/runs/${run}/events?limit=1000` });
    if (what < 64) return send({ method: 'GET', path: `/runs?limit=100&created_after=${since - 1}` });
    if (what < 70) return send({ method: 'GET', path: `/runs/${run}/webhook-deliveries` });
    if (what < 79) return send({ method: 'POST', path: `/runs/${run}/cancel` });
    if (what < 87) return send({ method: 'POST', path: `/runs/${run}/resume` });
    if (what < 91) return rerun(chance, run);
    return send({ method: 'DELETE', path: `/runs/${run}` });
  };
  await inParallel(plan.clients, plan.clients, async (client) => {
    const chance = random(plan.seed, plan.number * plan.clients + client);
    for (let done = 0; done < plan.operations; )
      try {
        await act(chance);
        done += 1;
        operations += 1;
      } catch (error) {
        // While the service is away, requests do not reach it.
        if (wasRefused(error)) await wait(50);
        else done += 1;
      }
  });
  return { runs: [...runs], operations };
}

/**
 * Sends every key once more, so that each run of the history has a name, then waits for the end of each run and reads
 * what is left of it. Returns the runs that did not end.
 */
export async function readAtTheEnd(send: Ask, plan: Plan, lived: Lived, withinMs: number): Promise<string[]> {
  const runs = new Set(lived.runs);
  for (let k = 0; k < plan.keys; k += 1) {
    const body = bodyOf(plan, k, false);
    const { status, body: found } = await send({
      method: 'POST',
      path: '/runs',
      body,
      idempotency_key: keyOf(plan, k),
    });
    if (status < 300) runs.add(found.id);
  }
  const until = Date.now() + withinMs;
  const hasEnded = async (run: string) => {
    const { status, body } = await send({ method: 'GET', path: `/runs/${run}/events?limit=1000` });
    return status === 404 || isFinished(body.data);
  };
  const open: string[] = [];
  for (const run of runs) {
    let ended = await hasEnded(run);
    for (; !ended && Date.now() < until; ended = await hasEnded(run)) await wait(100);
    if (!ended) open.push(run);
    for (const path of ['', '/webhook-deliveries'])
      await send({ method: 'GET', path: `/runs/${run}${path}` });
  }
  return open;
}

const CLIENTS = 16;
const KEYS = 8;
/** A run whose execution was not started is left to the sweep, which waits until its creator must be dead. */
const ENDS_WITHIN_MS = 5 * 60_000;

/** A history in each round, with so many operations of each client. */
export function requests(operations = 12): Workload {
  const pasts: { plan: Plan; lived: Lived; recorder: Recorder }[] = [];
  let clients = 0;
  return {
    least_operations: CLIENTS,

    async round({ service, receiver, seed, record }, number) {
      const recorder = createRecorder();
      record(recorder);
      const plan = { seed, number, callback_url: receiver.url, clients: CLIENTS, operations, keys: KEYS };
      clients = CLIENTS;
      const lived = await liveThrough(service.ask, plan);
      clients = 0;
      pasts.push({ plan, lived, recorder });
    },

    inFlight: async () => clients,

    async readBack({ service, record, breaches }) {
      for (const { plan, lived, recorder } of pasts) {
        record(recorder);
        const open = await readAtTheEnd(service.ask, plan, lived, ENDS_WITHIN_MS);
        breaches.push(...open.map((run) => `history ${plan.number}: run ${run} did not end`));
      }
      return [];
    },
  };
}
