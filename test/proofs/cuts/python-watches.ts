// Watches of the Python client whose streams are cut, in threads and on a loop: each gives its log whole, in order, each
// event once, and then the final envelope.
import { python } from '../../support/python.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { logToItsEnd } from '../work.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { STEPS } from './watches.ts';

/** What the client's program prints of a run. */
interface Watched {
  id: string;
  seen: string[];
  status: string;
}

/** Watches `runs` runs through a proxy that cuts. */
export async function cutPythonWatches(
  service: ProvedService,
  { runs, seed }: Readonly<Record<'runs' | 'seed', number>>,
): Promise<Findings> {
  const home = await newHome(service, { max_concurrent_runs: runs });
  const proxy = await cuttingProxy(service.site_url);
  const { hostname, port } = new URL(proxy.site_url);
  const body = { input_type: 'plan', plan: when.plan(...STEPS) };
  const asked = { runs, seed, body, proxy: { host: hostname, port: Number(port) } };
  const output = await python(['tests/watches.py'], {
    RUNS_BASE_URL: service.base_url,
    RUNS_API_KEY: home.key,
    WATCHES: JSON.stringify(asked),
  });
  proxy.close();
  const watched = output
    .trim()
    .split('\n')
    .map((line): Watched => JSON.parse(line));
  const breaches = watched.length === runs ? [] : [`${watched.length} of ${runs} runs were watched`];
  let events = 0;
  for (const { id, seen, status } of watched) {
    const log = await logToItsEnd(home, id);
    events += log.length;
    if (seen.join() !== log.map((event) => event.id).join())
      breaches.push(`run ${id}: saw ${seen.length} events of ${log.length}`);
    if (status !== 'succeeded') breaches.push(`run ${id}: its final envelope is ${status}`);
  }
  return { breaches, events, cuts_made: proxy.cuts() };
}
