// Faults planted between the functions and the table: a checker that does not find each of them proves nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsReply } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { isObject, type JsonObject, listAt, objectAt, parseObject } from '../../../lib/local/json-values.ts';
import type { Faults } from '../../support/observed/faults.ts';
import { type Forward, observedServices } from '../../support/observed/observed-services.ts';
import { ask } from '../ask.ts';
import type { Findings } from '../proof.ts';
import { newHome, onOwnService } from '../proved-service.ts';
import { type Random, random } from '../random.ts';
import { buildChecker, judge } from './checkers/linearizable.ts';
import { createRecorder, type Operation } from './checkers/recorder.ts';
import { receiveWebhooks } from './receiver.ts';
import { liveThrough, readAtTheEnd } from './workloads/requests.ts';

/** Carries out a request with the fault in it. */
type Plant = (request: AwsRequest, forward: Forward) => Promise<AwsReply>;

const stringIn = (value: unknown): string => (isObject(value) && typeof value.S === 'string' ? value.S : '');
const nameOf = (item: JsonObject) => `${stringIn(item.pk)} ${stringIn(item.sk)}`;
const RUN = /#RUN#\S+ (META|INPUT)$/;

/** Changes the puts of transactions whose key matches; undefined drops one. */
function eachPut(key: RegExp, change: (put: JsonObject) => JsonObject | undefined): Plant {
  return (request, forward) => {
    if (request.operation !== 'TransactWriteItems') return forward(request);
    const actions = listAt(request.input.TransactItems, 'TransactItems').flatMap((action) => {
      const put = isObject(action) && isObject(action.Put) ? action.Put : undefined;
      if (!put || !key.test(nameOf(objectAt(put.Item, 'Item')))) return [action];
      const changed = change(put);
      return changed ? [{ Put: changed }] : [];
    });
    return forward({ ...request, input: { ...request.input, TransactItems: actions } });
  };
}

const unconditional = ({ ConditionExpression: _, ...put }: JsonObject): JsonObject => {
  // Values that only the condition names must not be given without it.
  const { ExpressionAttributeNames: __, ExpressionAttributeValues: ___, ...rest } = put;
  return rest;
};

/** Changes the items that a batch read finds, for some of the readers. */
function eachBatchRead(
  readers: RegExp,
  change: (found: JsonObject[], keys: JsonObject[]) => JsonObject[],
): Plant {
  return async (request, forward) => {
    const reply = await forward(request);
    if (request.operation !== 'BatchGetItem' || !readers.test(request.caller) || reply.status !== 200)
      return reply;
    const output = parseObject(String(reply.body), request.operation);
    const asked = objectAt(request.input.RequestItems, 'RequestItems');
    const Responses = Object.fromEntries(
      Object.entries(objectAt(output.Responses, 'Responses')).map(([table, items]) => {
        const keys = listAt(objectAt(asked[table], table).Keys, table).filter(isObject);
        return [table, change(listAt(items, table).filter(isObject), keys)];
      }),
    );
    return { ...reply, body: JSON.stringify({ ...output, Responses }) };
  };
}

/** Reads of a run by GET /runs/{id} that find it as it was before its last change, which they do one time in four. */
function eventuallyConsistent(chance: Random): Plant {
  const newest = new Map<string, JsonObject>();
  const older = new Map<string, JsonObject>();
  const remember = eachPut(/#RUN#\S+ META$/, (put) => {
    const item = objectAt(put.Item, 'Item');
    const before = newest.get(nameOf(item));
    if (before) older.set(nameOf(item), before);
    newest.set(nameOf(item), item);
    return put;
  });
  const read = eachBatchRead(/^GetRun$/, (found) =>
    found.map((item) => (chance.chance(0.25) ? (older.get(nameOf(item)) ?? item) : item)),
  );
  return (request, forward) => read(request, (passed) => remember(passed, forward));
}

/** A deleted run is found by GET /runs/{id}. */
function deletedRunsStay(): Plant {
  const seen = new Map<string, JsonObject>();
  return eachBatchRead(/^GetRun$/, (found, keys) => {
    for (const item of found) if (RUN.test(nameOf(item))) seen.set(nameOf(item), item);
    const gone = keys.filter(
      (key) => RUN.test(nameOf(key)) && !found.some((one) => nameOf(one) === nameOf(key)),
    );
    return [...found, ...gone.map((key) => seen.get(nameOf(key))).filter((item) => item !== undefined)];
  });
}

/** A key is not bound to its run, and the run of its next use has another id. */
function keysAreNotBound(): Plant {
  let uses = 0;
  return eachPut(/#IDEMPOTENCY#/, (put) => {
    const { body_hash: _, run_id: __, ...item } = objectAt(put.Item, 'Item');
    uses += 1;
    return {
      ...unconditional(put),
      Item: { ...item, salt: { S: `use ${uses}` }, claimed_until: { N: '0' } },
    };
  });
}

/** Every planted fault, by what it does. */
const planted: Readonly<Record<string, (chance: Random) => Plant>> = {
  'a read is eventually consistent': eventuallyConsistent,
  'a deleted run is seen again': deletedRunsStay,
  'the same key makes a second run': keysAreNotBound,
  'an event is lost': () => eachPut(/ EVENT#000000000[3-9]/, () => undefined),
  'a canceled run succeeds': () =>
    eachPut(/#RUN#\S+ META$/, (put) =>
      String(put.ConditionExpression).startsWith('#version') ? unconditional(put) : put,
    ),
};

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
      const none: Plant = (request, forward) => forward(request);
      const sound = await liveWith(faults, access, none, { seed: seed - 1, number: 0 });
      const alarms = breachesIn(sound, 'none');
      for (const [i, [name, plant]] of Object.entries(planted).entries()) {
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
        planted: Object.keys(planted).length,
        found: Object.keys(planted).length - missed.length,
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
      ? { kind: 'changed', answer: (forward) => plant(request, forward) }
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
