// Watches of the SDK whose connections are cut: each gives its log whole, in order, each event once, and then the final
// envelope.
import { RunService } from '../../../clients/sdk/index.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { random } from '../random.ts';
import { inParallel, logToItsEnd } from '../work.ts';
import { CUT_HEADER, cuttingProxy } from './cutting-proxy.ts';

const AT_ONCE = 8;
/** The first connections of a watch are cut, by bytes or by time. */
const CUTS_EACH = 6;
const MAX_BYTES = 3_000;
const MAX_MS = 400;
const NEVER = 1_000_000_000;
/** A run that takes long enough to be cut several times. */
export const STEPS = [
  when.fetchCompanies,
  { kind: 'analyze', instructions: '[[delay:150]] [[transient:1]] what stands out' },
  { kind: 'analyze', instructions: '[[delay:50]] what else' },
  when.answer,
];

/** Watches `runs` runs through a proxy that cuts. */
export async function cutWatches(
  service: ProvedService,
  { runs, seed }: Readonly<Record<'runs' | 'seed', number>>,
): Promise<Findings> {
  const home = await newHome(service, { max_concurrent_runs: AT_ONCE });
  const proxy = await cuttingProxy(service.site_url);
  const breaches: string[] = [];
  let events = 0;
  await inParallel(AT_ONCE, runs, async (i) => {
    const chance = random(seed, i);
    let connections = 0;
    const cutting: typeof fetch = (input, init) => {
      const url = new URL(String(input));
      if (!url.pathname.endsWith('/events/stream')) return fetch(input, init);
      // Streams alone go through the proxy, which reads the wish of a connection's first request.
      url.host = new URL(proxy.site_url).host;
      const headers = new Headers(init?.headers);
      connections += 1;
      if (connections <= CUTS_EACH)
        headers.set(
          CUT_HEADER,
          chance.chance(0.7) ? `${NEVER},${chance.below(MAX_BYTES)}` : `${chance.below(MAX_MS)},${NEVER}`,
        );
      return fetch(url, { ...init, headers });
    };
    const client = new RunService({ apiKey: home.key, baseUrl: service.base_url, fetch: cutting });
    const { status, body } = await when.createsPlanRun(home, STEPS);
    if (status !== 202) throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
    const watch = client.runs.watch(body.id);
    const seen: string[] = [];
    for await (const { id } of watch) seen.push(id);
    const log = await logToItsEnd(home, body.id);
    events += log.length;
    if (seen.join() !== log.map(({ id }) => id).join())
      breaches.push(`run ${i}: saw ${seen.length} events of ${log.length}`);
    const final = await watch.done();
    if (final.status !== 'succeeded') breaches.push(`run ${i}: its final envelope is ${final.status}`);
  });
  proxy.close();
  return { breaches, events, cuts_made: proxy.cuts() };
}
