// An agent whose client gives every call up after a minute, and asks for no progress, finishes runs that take longer by
// waiting again.
import { agent, kinds } from '../../support/agents.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';

/** The default timeout of the libraries. */
const CLIENT_LIMIT_MS = 60_000;
/** Shorter than the longest call of a model. */
const STEP_SECONDS = 90;

/** One run of this many seconds for each kind of client. */
export async function waitAgain(
  service: ProvedService,
  { seconds }: Readonly<Record<'seconds', number>>,
): Promise<Findings> {
  const home = await newHome(service);
  const breaches: string[] = [];
  const steps = Array.from({ length: Math.ceil(seconds / STEP_SECONDS) }, (_, i) => {
    const delay = 1000 * Math.min(STEP_SECONDS, seconds - i * STEP_SECONDS);
    return { kind: 'analyze', instructions: `[[delay:${delay}]] what stands out` };
  });
  const plan = when.plan(when.fetchCompanies, ...steps, when.answer);
  const trial = async (kind: (typeof kinds)[number]) => {
    const client = await agent(home.key, kind, service.site_url);
    const created = await client.ask('run_create', { input_type: 'plan', plan });
    const { id } = created.structuredContent;
    const call_seconds: number[] = [];
    for (let status = ''; !['succeeded', 'failed', 'canceled'].includes(status); ) {
      const begun = performance.now();
      const waited = await client.ask('run_wait', { id }, { timeout: CLIENT_LIMIT_MS });
      ({ status } = waited.structuredContent);
      call_seconds.push(Math.round((performance.now() - begun) / 1000));
      if (status === 'failed' || call_seconds.length > seconds) breaches.push(`${kind}: ${status}`);
    }
    const { structuredContent } = await client.ask('run_get', { id });
    const table = structuredContent.artifacts.find((one: { kind: string }) => one.kind === 'table');
    const rows = (await client.ask('artifact_get', { id: table.id, limit: 1 })).structuredContent.rows;
    if (rows.length !== 1) breaches.push(`${kind}: ${rows.length} rows`);
    await client.close();
    return [kind, call_seconds] as const;
  };
  const call_seconds = Object.fromEntries(await Promise.all(kinds.map(trial)));
  return { breaches, call_seconds };
}
