// Whether the judge of histories finds each of its planted faults.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Faults } from '../../support/observed/faults.ts';
import { observedServices } from '../../support/observed/observed-services.ts';
import { type Ask, ask } from '../ask.ts';
import type { Plant } from '../planted/changes.ts';
import { planted } from '../planted/faults.ts';
import { sendWithPlant } from '../planted/wire.ts';
import type { Findings } from '../proof.ts';
import { newHome, onOwnService } from '../proved-service.ts';
import { random } from '../random.ts';
import { jobs } from './checkers/jobs.ts';
import { buildChecker, judge } from './checkers/linearizable.ts';
import { createRecorder } from './checkers/recorder.ts';
import { receiveWebhooks } from './receiver.ts';
import { employWorkers, type Workers } from './workers.ts';
import { liveThrough, readAtTheEnd } from './workloads/requests.ts';

const CLIENTS = 8;
const ENDS_WITHIN_MS = 5_000;

/** Where histories are lived through. */
interface Setting {
  faults: Faults;
  access: { base_url: string; api_key: string };
  workers: Workers;
  /** What clients send goes this way. */
  send: Ask;
}

/** Lives through histories with each fault until a checker finds it, at most `histories` of them. Needs Go. */
export async function findPlanted({
  histories,
  seed,
}: Readonly<Record<'histories' | 'seed', number>>): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const program = buildChecker(folder);
  const { services, faults } = observedServices();
  return onOwnService(
    async (service) => {
      const found: Record<string, number | string> = {};
      const setting = await settle(service, faults, seed);
      const breachesIn = async (name: string, plant: Plant, which: { seed: number; number: number }) => {
        const { operations, breaches } = await liveWith(setting, plant, which);
        return [...breaches, ...judge(program, join(folder, name), [operations]).breaches];
      };
      const alarms = await breachesIn('none', {}, { seed: seed - 1, number: 0 });
      for (const [i, [name, plant]] of Object.entries(planted.histories).entries()) {
        found[name] = 'not found';
        for (let number = 0; number < histories && found[name] === 'not found'; number += 1) {
          const which = { seed: seed + i, number };
          const breaches = await breachesIn(`${i}-${number}`, plant(random(seed, number)), which);
          if (breaches.length > 0) found[name] = number + 1;
        }
      }
      setting.workers.close();
      const missed = Object.entries(found).filter(([, after]) => after === 'not found');
      return {
        planted: Object.keys(planted.histories).length,
        found: Object.keys(planted.histories).length - missed.length,
        after_histories: found,
        breaches: [
          ...alarms.map((alarm) => `found without a fault: ${alarm}`),
          ...missed.map(([name]) => `not found: ${name}`),
        ],
      };
    },
    { services },
  ).finally(() => rmSync(folder, { recursive: true }));
}

/** A workspace with sources that ask workers. */
async function settle(
  service: Parameters<typeof newHome>[0],
  faults: Faults,
  seed: number,
): Promise<Setting> {
  const { key: api_key, workspace_id } = await newHome(service, { max_concurrent_runs: 500 });
  const access = { base_url: service.base_url, api_key };
  const send: Ask = (asked) => ask(access, asked);
  const workers = await employWorkers(seed, () => setting.send);
  const setting = { faults, access, workers, send };
  for (const source of workers.sources)
    await service.admin({ command: 'source.create', workspace_id, source });
  return setting;
}

async function liveWith(setting: Setting, plant: Plant, which: { seed: number; number: number }) {
  const { faults, access, workers } = setting;
  const recorder = createRecorder();
  const send: Ask = (asked) => recorder.watch(asked, () => ask(access, asked));
  setting.send = send;
  const receiver = await receiveWebhooks();
  const plan = { ...which, clients: CLIENTS, operations: 12, keys: 4, callback_url: receiver.url };
  const remove = faults.add((request) =>
    request.service === 'dynamodb'
      ? { kind: 'changed', answer: (forward) => sendWithPlant(plant, request, forward) }
      : undefined,
  );
  try {
    const lived = await liveThrough(send, plan);
    await readAtTheEnd(send, plan, lived, ENDS_WITHIN_MS);
    const own = new Map([...workers.jobs].filter(([, job]) => job.send === send));
    const breaches = await jobs({
      service: { askUnwatched: (asked) => ask(access, asked) },
      workers: { ...workers, jobs: own },
      figures: {},
    });
    return { operations: recorder.operations, breaches };
  } finally {
    remove();
    receiver.close();
  }
}
