// Faults planted between the code and the table, one by one: a campaign that does not find them proves nothing.
import type { Random } from '../random.ts';
import {
  answersWithout,
  eachRead,
  eachWrite,
  forgets,
  ifUpdates,
  nameOf,
  type Plant,
  type PlantFault,
  replaced,
  unconditional,
  type Values,
  without,
} from './changes.ts';

/** What a job asks, without the items that go with it. */
const NOTHING_ASKED = JSON.stringify({ title: 'Fetch', instructions: '', query: '', limit: 100, items: [] });

/** Sooner than any model is tried again. */
const SOON_MS = 2000;

const leavesJobsOpen: Plant = eachWrite(/ JOB#/, (one) =>
  Object(one.ExpressionAttributeValues)[':status'] === 'canceled' ? undefined : one,
);

/** Found by the oracles of a simulation, or by its replay of the commits. */
const inSimulations: Record<string, Plant> = {
  'commits do not ask whether the run changed': eachWrite(/#RUN#\S+ (META$|EVENT#)/, unconditional),
  'fires do not ask whether the monitor changed': eachWrite(/#MONITORS /, unconditional),
  'fires are not listed': eachWrite(/#FIRES#/, () => undefined),
  'events are not written': eachWrite(/ EVENT#/, () => undefined),
  'the end of a run makes no delivery': eachWrite(/ DELIVERY#/, (one) => (one.Item ? undefined : one)),
  'attempts of deliveries are not claimed': eachWrite(
    / DELIVERY#/,
    ifUpdates('SET claimed_until', unconditional),
  ),
  'attempts are recorded twice': eachWrite(
    / DELIVERY#/,
    ifUpdates('attempts = :attempts', (one) => {
      const values = Object(one.ExpressionAttributeValues);
      const attempts = [...values[':attempts'], ...values[':attempts'].slice(-1)];
      return { ...one, ExpressionAttributeValues: { ...values, ':attempts': attempts } };
    }),
  ),
  'overdue deliveries are not due': eachWrite(/ DELIVERY#/, without('due_pk')),
  'the sweep forgets runs': forgets('RUN#'),
  'the sweep forgets deliveries': forgets('DELIVERY#'),
  'the sweep forgets slots': forgets('SLOTS#'),
  'open runs are not due': eachWrite(/#RUN#\S+ META$/, without('due_pk')),
  // Only the replay of commits finds it: no client sees an owner, and the next start replaces it.
  'a paused run has an owner': eachWrite(/#RUN#\S+ META$/, (one) =>
    Object(one.Item).status === 'paused' ? { ...one, Item: { ...Object(one.Item), owner: 'someone' } } : one,
  ),
  'the end of a run leaves its job open': leavesJobsOpen,
  'the next attempt of a job is not written': eachWrite(/ JOB#\S+#2$/, (one) => (one.Item ? undefined : one)),
  'the items that go with a job are lost for its next attempt': eachWrite(/ JOB#\S+#2$/, (one) =>
    one.Item ? { ...one, Item: { ...Object(one.Item), asked: { json: NOTHING_ASKED } } } : one,
  ),
  'the items and answers that complete a job are not saved': eachWrite(/ JOBPAGE#\S+#99$/, () => undefined),
  'a job takes pages after its end': eachWrite(
    / JOB#/,
    ifUpdates('pages.#page', replaced('#status = :open AND', '')),
  ),
  'a page that is sent again counts again': eachWrite(
    / JOB#/,
    ifUpdates('pages.#page', replaced('AND attribute_not_exists(pages.#page)', '')),
  ),
  'a job is completed as it was before a page came': eachWrite(
    / JOB#/,
    replaced(' AND received = :received', ''),
  ),
  'a key is claimed though it is taken': eachWrite(/#IDEMPOTENCY#/, unconditional),
  'a key is not bound to its run': eachWrite(/#IDEMPOTENCY#/, (one) =>
    Object(one.Item).run_id === undefined ? one : undefined,
  ),
  'slots have no limit': eachWrite(/ COUNTERS$/, replaced('AND size(slots) < :limit', '')),
  'a slot is claimed twice': eachWrite(/ COUNTERS$/, replaced('attribute_not_exists(slots.#run) AND', '')),
  'a hold is settled twice': eachWrite(/ COUNTERS$/, ifUpdates('REMOVE slots.#run', unconditional)),
  'a slot with an item of its own is claimed twice': eachWrite(/#SLOTS /, (one) =>
    one.Item ? unconditional(one) : one,
  ),
  'a hold takes no credits': eachWrite(/ COUNTERS$/, (one) => ({
    ...one,
    UpdateExpression:
      typeof one.UpdateExpression === 'string'
        ? one.UpdateExpression.replace('credits_free = credits_free - :held,', '')
        : undefined,
  })),
  'what is unused is not given back': eachWrite(/ COUNTERS$/, (one) => ({
    ...one,
    UpdateExpression:
      typeof one.UpdateExpression === 'string'
        ? one.UpdateExpression.replace('credits_free = credits_free + :returned,', '')
        : undefined,
  })),
  'the ledger misses the settlements': eachWrite(
    / COUNTERS$/,
    ifUpdates('REMOVE slots.#run', (one) => ({
      ...one,
      UpdateExpression: String(one.UpdateExpression).replace(/, noted = list_append\(.*?\), :noted\)/, ''),
    })),
  ),
  'costs are lost': eachWrite(/#COSTS /, () => undefined),
  'a commit without a reply is taken for none': eachWrite(/#RUN#\S+ META$/, without('counted_by')),
  'the journal forgets what others wrote': eachWrite(
    / CALL#/,
    replaced('written_by = :known', 'written_by <> :known'),
  ),
  'money is a float': eachWrite(/#COSTS /, (one) => {
    const values = Object(one.ExpressionAttributeValues);
    const cost = Math.round(Number(values[':cost']) / 3e6) * 3e6;
    return { ...one, ExpressionAttributeValues: { ...values, ':cost': cost } };
  }),
  'checkpoints are not saved': eachWrite(/ STEP#/, () => undefined),
  'artifacts are not saved': eachWrite(/#ARTIFACTS /, () => undefined),
  'older versions overwrite newer ones': eachWrite(/#SYNCED#/, (one) => ({
    ...one,
    ...(one.Item ? { Item: { ...Object(one.Item), version: 0 } } : {}),
  })),
  'tombstones are missing': eachWrite(/#SYNCED#/, (one) =>
    Object(one.Item).deleted === true ? undefined : one,
  ),
  'two messages of a resource overtake each other': eachWrite(/#SYNCED#/, unconditional),
  'every call tries a model that was away': answersWithout(/^ENDPOINT#/, 'probe'),
  'a model asks for a wait in vain': eachWrite(/^ENDPOINT#/, (one) => {
    const { until, went_at } = Object(one.Item);
    return { ...one, Item: { ...Object(one.Item), until: Math.min(until, went_at + SOON_MS) } };
  }),
  'a run that waits is said to run while its call tries the model': eachWrite(/#RUN#\S+ META$/, (one) => {
    const { waiting, task_token: _, ...rest } = Object(one.Item);
    const tries = waiting?.reason === 'model_unavailable' && rest.owner !== undefined;
    return tries ? { ...one, Item: { ...rest, status: 'running' } } : one;
  }),
  'waits do not count': eachWrite(/#RUN#\S+ META$/, without('model_waited_ms')),
  'a wait for a model begins again and again': eachWrite(/#RUN#\S+ META$/, (one) => {
    const { waiting } = Object(one.Item);
    if (waiting?.until === undefined) return one;
    return { ...one, Item: { ...Object(one.Item), waiting: { ...waiting, since: waiting.until } } };
  }),
  'tokens are lost': eachWrite(/#RUN#\S+ META$/, without('task_token')),
  'no journal is read after a wait': {
    answer({ command, input }, reply) {
      const { ExpressionAttributeValues = {} } = Object(input);
      const isJournal = Object.values(ExpressionAttributeValues).some((value) =>
        /^CALL#/.test(String(value)),
      );
      return command === 'QueryCommand' && isJournal ? { Items: [] } : reply;
    },
  },
  'half a transaction is enough': {
    ask({ command, input }) {
      const { TransactItems = [] } = Object(input);
      if (command !== 'TransactWriteCommand' || TransactItems.length < 3) return input;
      return { ...input, TransactItems: TransactItems.slice(0, -1) };
    },
  },
  'a read takes the record of a neighbour': {
    ask({ command, input }) {
      const { Key } = Object(input);
      if (command !== 'GetCommand' || Key?.sk !== 'META') return input;
      return { ...input, Key: { ...Key, pk: `WS#other${Key.pk}` } };
    },
  },
};

const RUN = /#RUN#\S+ (META|INPUT)$/;
const isReadOfRun = (caller: string | undefined) => caller === 'GetRun';

/** Reads of a run by GET /runs/{id} that find it as it was before its last change, which they do one time in four. */
function eventuallyConsistent(chance: Random): Plant {
  const newest = new Map<string, Values>();
  const older = new Map<string, Values>();
  const remember = eachWrite(/#RUN#\S+ META$/, (one) => {
    const name = nameOf(one.Item);
    const before = newest.get(name);
    if (before) older.set(name, before);
    newest.set(name, Object(one.Item));
    return one;
  });
  return {
    ...remember,
    answer: eachRead((found, { caller }) =>
      isReadOfRun(caller)
        ? found.map((item) => (chance.chance(0.25) ? (older.get(nameOf(item)) ?? item) : item))
        : found,
    ),
  };
}

/** A deleted run is found by GET /runs/{id}. */
function deletedRunsStay(): Plant {
  const seen = new Map<string, Values>();
  return {
    answer: eachRead((found, { caller, input }) => {
      if (!isReadOfRun(caller)) return found;
      for (const item of found) if (RUN.test(nameOf(item))) seen.set(nameOf(item), item);
      const names = new Set(found.map(nameOf));
      const gone = keysIn(input)
        .map(nameOf)
        .filter((name) => RUN.test(name) && !names.has(name));
      return [...found, ...gone.map((name) => seen.get(name)).filter((item) => item !== undefined)];
    }),
  };
}

/** The keys that a read of several items names. */
const keysIn = (input: object): unknown[] =>
  Object.values(Object(Object(input).RequestItems)).flatMap((asked) => Object(asked).Keys);

/** A key is not bound to its run, and the run of its next use has another id. */
function keysAreNotBound(): Plant {
  let uses = 0;
  return eachWrite(/#IDEMPOTENCY#/, (one) => {
    if (!one.Item) return one;
    const { body_hash: _, run_id: __, ...item } = Object(one.Item);
    uses += 1;
    return unconditional({ ...one, Item: { ...item, salt: `use ${uses}`, claimed_until: 0 } });
  });
}

/** Jobs that have ended are open again for half of those who read them, and take what comes. */
function jobsEndTwice(chance: Random): Plant {
  return {
    ...eachWrite(/ JOB#/, (one) => (one.Item ? one : unconditional(one))),
    answer: eachRead((found) =>
      found.map((item) => {
        const isAnswered =
          / JOB#/.test(nameOf(item)) && ['completed', 'failed'].includes(String(item.status));
        return isAnswered && chance.below(2) === 0 ? { ...item, status: 'open' } : item;
      }),
    ),
  };
}

/** Found by the judge of what clients and workers have seen. */
const inHistories: Record<string, PlantFault> = {
  'a read is eventually consistent': eventuallyConsistent,
  'a deleted run is seen again': deletedRunsStay,
  'the same key makes a second run': keysAreNotBound,
  'an event is lost': () => eachWrite(/ EVENT#000000000[3-9]/, (one) => (one.Item ? undefined : one)),
  'a canceled run succeeds': () =>
    eachWrite(/#RUN#\S+ META$/, (one) =>
      one.Item && String(one.ConditionExpression).startsWith('#version') ? unconditional(one) : one,
    ),
  'a job ends a second time': jobsEndTwice,
  'a job takes a result after its run has ended': () => leavesJobsOpen,
  'pages of jobs are not saved': () => eachWrite(/ JOBPAGE#\S+#(?!99$)\d+$/, () => undefined),
};

/** The commit that ends a job counts on no day what it brought. */
const jobsCostNothing: Plant = {
  ask({ command, input }) {
    const actions: Record<string, Values>[] = Object(input).TransactItems ?? [];
    const named = (key: RegExp) => (action: (typeof actions)[number]) => key.test(nameOf(action.Update?.Key));
    if (command !== 'TransactWriteCommand' || !actions.some(named(/ JOB#/))) return input;
    return { ...input, TransactItems: actions.filter((action) => !named(/#COSTS /)(action)) };
  },
};

/** Found by the oracle of money. */
const inMoney: Record<string, PlantFault> = {
  'a job ends a second time': jobsEndTwice,
  'what a job brought is on no day': () => jobsCostNothing,
};

/** Every planted fault by what it does, for the campaign that must find it. */
export const planted: Readonly<Record<'sim' | 'histories' | 'money', Record<string, PlantFault>>> = {
  money: inMoney,
  sim: Object.fromEntries(Object.entries(inSimulations).map(([name, plant]) => [name, () => plant])),
  histories: inHistories,
};
