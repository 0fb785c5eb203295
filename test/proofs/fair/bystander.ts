// The bystander: another tenant that creates, reads, lists, resolves and runs small plans, and notes how long each
// took.
import { request, type Target } from '../bench/client.ts';

export type Latencies = Record<'create' | 'get' | 'list' | 'resolve' | 'run', number[]>;

const POLL_MS = 15;
const PAUSE_MS = 20;
/** Its own first record, by the name that all tenants give theirs. */
const ONE = JSON.stringify([{ external_uri: 'fair:0' }]);

/** Runs until stopped; resolves with all latencies in ms. `run` is from the POST to the succeeded run, polled. */
export function bystander(target: Target): { stop(): Promise<Latencies> } {
  const took: Latencies = { create: [], get: [], list: [], resolve: [], run: [] };
  let stopped = false;
  async function timed<T>(what: keyof Latencies, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    took[what].push(performance.now() - begun);
    return result;
  }
  const read = (path: string) => request(target, 'GET', path, 200);
  async function one(): Promise<void> {
    const id = await timed('create', async () =>
      String((await request(target, 'POST', '/runs', 202, small)).id),
    );
    for (;;) {
      const { status } = await timed('get', () => read(`/runs/${id}`));
      if (status === 'succeeded') return;
      if (status === 'failed') throw new Error(`the bystander's run ${id} failed`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  const working = (async () => {
    while (!stopped) {
      await timed('run', one);
      await timed('list', () => read('/runs?limit=5'));
      await timed('resolve', () => read(`/entities/resolve?refs=${encodeURIComponent(ONE)}`));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    async stop() {
      stopped = true;
      await working;
      return took;
    },
  };
}

const small = {
  input_type: 'plan',
  plan: {
    title: 'Small',
    steps: [{ kind: 'fetch', title: 'Some', params: { source: 'companies', limit: 1 } }],
  },
};
