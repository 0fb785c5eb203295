// Whether the judge of histories finds each of its planted faults.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Faults } from '../../support/observed/faults.ts';
import { observedServices } from '../../support/observed/observed-services.ts';
import { ask } from '../ask.ts';
import type { Plant } from '../planted/changes.ts';
import { planted } from '../planted/faults.ts';
import { sendWithPlant } from '../planted/wire.ts';
import type { Findings } from '../proof.ts';
import { newHome, onOwnService } from '../proved-service.ts';
import { random } from '../random.ts';
import { buildChecker, judge } from './checkers/linearizable.ts';
import { createRecorder, type Operation } from './checkers/recorder.ts';
import { receiveWebhooks } from './receiver.ts';
import { liveThrough, readAtTheEnd } from './workloads/requests.ts';

const CLIENTS = 8;
const ENDS_WITHIN_MS = 5_000;

/** Lives through histories with each fault until the checker finds it, at most `histories` of them. Needs Go. */
export async function findPlanted({
  histories,
  seed,
}: Readonly<Record<'histories' | 'seed', number>>): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'planted-'));
  const program = buildChecker(folder);
  const breachesIn = (history: Operation[], name: string) =>
    judge(program, join(folder, name), [history]).breaches;
  const { services, faults } = observedServices();
  return onOwnService(
    async (service) => {
      const found: Record<string, number | string> = {};
      const { key: api_key } = await newHome(service, { max_concurrent_runs: 500 });
      const access = { base_url: service.base_url, api_key };
      const sound = await liveWith(faults, access, {}, { seed: seed - 1, number: 0 });
      const alarms = breachesIn(sound, 'none');
      for (const [i, [name, plant]] of Object.entries(planted.histories).entries()) {
        found[name] = 'not found';
        for (let number = 0; number < histories && found[name] === 'not found'; number += 1) {
          const history = await liveWith(faults, access, plant(random(seed, number)), {
            seed: seed + i,
            number,
          });
          if (breachesIn(history, `${i}-${number}`).length > 0) found[name] = number + 1;
        }
      }
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

async function liveWith(
  faults: Faults,
  access: { base_url: string; api_key: string },
  plant: Plant,
  which: { seed: number; number: number },
): Promise<Operation[]> {
  const recorder = createRecorder();
  const send = (asked: Parameters<typeof ask>[1]) => recorder.watch(asked, () => ask(access, asked));
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
    return recorder.operations;
  } finally {
    remove();
    receiver.close();
  }
}
