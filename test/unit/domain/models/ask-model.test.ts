// rules.md: models 4, models 19, models 20. The path of a call, over endpoints that go away and come back.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Asking, askModel } from '#domain/models/ask-model.ts';
import { ModelError } from '#models/model.ts';
import { ModelsAway } from '#models/models-away.ts';
import { PROBE_MS, succeeded } from '#store/models/endpoint-state.ts';
import { changeState, readStates } from '#store/models/endpoints.ts';
import { useMemoryTable } from '../../../support/memory-table/use-memory-table.ts';

let day = Date.now();
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  // What the process knows from the last test is old.
  day += 24 * 3_600_000;
  vi.setSystemTime(day);
  useMemoryTable();
});
afterEach(() => void vi.useRealTimers().restoreAllMocks());

const busy = (retry_after_ms?: number) =>
  new ModelError('busy', { cause: 'away' }, retry_after_ms === undefined ? {} : { retry_after_ms });
const refused = new ModelError('no', { cause: 'refused' });

/** A provider with endpoints that fail so; `calls` lists the endpoints that were asked. */
function provider(failures: Record<string, Error | undefined>) {
  const calls: string[] = [];
  const ask = async (endpoint: string) => {
    calls.push(endpoint);
    const failure = failures[endpoint];
    if (failure) throw failure;
    return `answer of ${endpoint}`;
  };
  return { calls, failures, ask };
}

/** The answer or the error of a call, however long it takes. */
async function outcomeOf(call: Promise<string>): Promise<unknown> {
  const outcome = call.catch((error: unknown) => error);
  let isOver = false;
  void outcome.then(() => {
    isOver = true;
  });
  while (!isOver) await vi.advanceTimersByTimeAsync(50);
  return outcome;
}

const asked = (
  names: string[],
  { ask }: { ask: (endpoint: string) => Promise<string> },
  asking: Asking = {},
) => outcomeOf(askModel(names, ask, asking));

test('three tries at the first endpoint, then one at the next; calls that follow go there at once', async () => {
  const { calls, ...given } = provider({ a: busy() });
  expect(await asked(['a', 'b'], given)).toBe('answer of b');
  expect(await asked(['a', 'b'], given)).toBe('answer of b');
  expect(calls).toEqual(['a', 'a', 'a', 'b', 'b']);
});

test('a refusal is final: no other endpoint is asked, and none is away', async () => {
  const { calls, ...given } = provider({ a: refused });
  expect(await asked(['a', 'b'], given)).toBe(refused);
  expect([calls, await readStates(['a', 'b'])]).toEqual([['a'], new Map()]);
});

test('with none left there is no call, until the first may be tried; one call tries it, and ends it', async () => {
  // The second is away for longer than the first, or both may be tried at once.
  let chance = 0;
  vi.spyOn(Math, 'random').mockImplementation(() => (chance += 0.01));
  const given = provider({ a: busy(), b: busy() });
  const away = await asked(['a', 'b'], given);
  const { until, model, last } = away instanceof ModelsAway ? away : expect.fail(String(away));
  expect({ model, last, wait: until > Date.now() && until - Date.now() <= 15_000 }).toEqual({
    ...{ model: 'a', last: given.failures.b, wait: true },
  });
  expect(await asked(['a', 'b'], given)).toBeInstanceOf(ModelsAway);
  expect(given.calls).toHaveLength(6);
  Object.assign(given.failures, { a: undefined, b: undefined });
  vi.setSystemTime(until);
  const two = await Promise.all([1, 2].map(() => asked(['a', 'b'], given)));
  expect(two.filter((answer) => typeof answer === 'string')).toHaveLength(1);
  expect(await asked(['a', 'b'], given)).toMatch(/^answer of/);
  expect(given.calls).toHaveLength(8);
});

test('a run waits some seconds for the end of another process’s probe, a request does not', async () => {
  const given = provider({});
  const probed = () => {
    const now = Date.now();
    return { times: 1, since: now, went_at: now, until: now, probe: { id: 'other', until: now + 20_000 } };
  };
  await changeState('a', probed);
  const begun = Date.now();
  expect(await asked(['a'], given)).toBeInstanceOf(ModelsAway);
  expect(Date.now() - begun).toBeLessThan(1000);
  const away = await asked(['a'], given, { mayWait: true });
  expect(away instanceof ModelsAway && away.until > Date.now()).toBe(true);
  expect(Date.now() - begun).toBeGreaterThan(4000);
  const waiting = asked(['a'], given, { mayWait: true });
  await changeState('a', (state) => succeeded(state, 'other'));
  expect([await waiting, given.calls]).toEqual(['answer of a', ['a']]);
});

test('the calls of one process wait for its own probe to the end', async () => {
  const given = provider({ a: busy() });
  const away = await asked(['a'], given);
  vi.setSystemTime(away instanceof ModelsAway ? away.until : 0);
  const slow = Promise.withResolvers<string>();
  const probe = askModel(['a'], () => slow.promise, { mayWait: true });
  await vi.advanceTimersByTimeAsync(100);
  given.failures.a = undefined;
  const waiting = askModel(['a'], given.ask, { mayWait: true });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(given.calls).toHaveLength(3);
  slow.resolve('answer of the probe');
  expect([await probe, await outcomeOf(waiting)]).toEqual(['answer of the probe', 'answer of a']);
});

test('a probe that takes long goes on alone; one whose process died is followed by another', async () => {
  const given = provider({ a: busy() });
  const away = await asked(['a'], given);
  vi.setSystemTime(away instanceof ModelsAway ? away.until : 0);
  const slow = Promise.withResolvers<string>();
  const probe = askModel(['a'], () => slow.promise, {});
  await vi.advanceTimersByTimeAsync(120_000);
  expect([await asked(['a'], given), given.calls.length]).toEqual([expect.any(ModelsAway), 3]);
  slow.resolve('late');
  expect(await probe).toBe('late');
  // A claim that nobody extends.
  await changeState(
    'a',
    (state) => state && { ...state, times: 1, probe: { id: 'dead', until: Date.now() + 20_000 } },
  );
  await vi.advanceTimersByTimeAsync(20_001);
  given.failures.a = undefined;
  expect(await asked(['a'], given)).toBe('answer of a');
});

test('a wait of more than 20 s that the provider asks for ends the tries, and it is away for that long', async () => {
  const given = provider({ a: busy(90_000) });
  const began = Date.now();
  const away = await asked(['a'], given);
  expect([given.calls, away instanceof ModelsAway && away.until >= began + 90_000]).toEqual([['a'], true]);
});

test('a second try is not made at an endpoint that went away meanwhile, and does not count', async () => {
  const { calls, ask } = provider({ a: busy() });
  const meanwhile = async (endpoint: string) => {
    const now = Date.now();
    await changeState('a', () => ({ times: 1, since: now, went_at: now, until: now + 60_000 }));
    return ask(endpoint);
  };
  expect(await asked(['a'], { ask: meanwhile })).toBeInstanceOf(ModelsAway);
  expect([calls, (await readStates(['a'])).get('a')?.times]).toEqual([['a'], 1]);
});

test('calls that were under way when it went away do not count again', async () => {
  const given = provider({ a: busy() });
  await Promise.all([1, 2, 3, 4].map(() => asked(['a'], given)));
  expect((await readStates(['a'])).get('a')?.times).toBe(1);
});

test('a refused probe ends it; one that a limit of the run kept from being made leaves it to the next', async () => {
  const given = provider({ a: busy() });
  const away = await asked(['a'], given);
  vi.setSystemTime(away instanceof ModelsAway ? away.until : 0);
  given.failures.a = new Error('the day is spent');
  expect(await asked(['a'], given)).toBe(given.failures.a);
  given.failures.a = refused;
  expect(await asked(['a'], given)).toBe(refused);
  given.failures.a = undefined;
  expect(await asked(['a'], given)).toBe('answer of a');
});

test('a state that cannot be saved loses no answer and no error; the next failures save it', async () => {
  let isBroken = false;
  useMemoryTable(async ({ command, input }, perform) => {
    if (isBroken && command === 'PutCommand') throw new Error('the table is away');
    return perform(input);
  });
  const given = provider({ a: busy() });
  isBroken = true;
  expect(await asked(['a'], given)).toBeInstanceOf(ModelsAway);
  isBroken = false;
  const away = await asked(['a'], given);
  expect(given.calls).toHaveLength(6);
  vi.setSystemTime(away instanceof ModelsAway ? away.until : 0);
  const answer = askModel(
    ['a'],
    async () => {
      isBroken = true;
      return 'answer of the probe';
    },
    {},
  );
  expect(await outcomeOf(answer)).toBe('answer of the probe');
  isBroken = false;
  // The claim of the probe that could not be ended is over.
  await vi.advanceTimersByTimeAsync(PROBE_MS);
  given.failures.a = undefined;
  expect(await asked(['a'], given)).toBe('answer of a');
  expect((await readStates(['a'])).get('a')?.times).toBe(0);
});

test('the state is read at most once a second while calls go on', async () => {
  let reads = 0;
  useMemoryTable(async ({ command, input }, perform) => {
    if (command === 'GetCommand') reads += 1;
    return perform(input);
  });
  const given = provider({});
  for (let i = 0; i < 100; i += 1) await askModel(['a'], given.ask, {});
  expect(reads).toBe(1);
});
