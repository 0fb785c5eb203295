// Another tenant during the fuzz, who creates small runs and waits for their ends: the worst time that takes.
import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../../support/service.ts';
import * as when from '../../support/when.ts';
import type { Findings } from '../proof.ts';
import { newHome, type ProvedService } from '../proved-service.ts';
import { logToItsEnd, patiently } from '../work.ts';

const EVERY_MS = 250;
const idempotent = (run: number) => ({ 'Idempotency-Key': `bystander ${run}` });

/**
 * Works until the signal; `worst_create_ms`, `worst_read_ms` and `worst_run_ms` (from the create to the end of the
 * log).
 */
export async function bystand(service: ProvedService, signal: AbortSignal): Promise<Findings> {
  const home = await newHome(service);
  const found = { runs: 0, worst_create_ms: 0, worst_read_ms: 0, worst_run_ms: 0 };
  const breaches: string[] = [];
  const timed = async <T>(
    what: 'worst_create_ms' | 'worst_read_ms' | 'worst_run_ms',
    work: () => Promise<T>,
  ) => {
    const begun = performance.now();
    const result = await work();
    found[what] = Math.max(found[what], Math.round(performance.now() - begun));
    return result;
  };
  while (!signal.aborted) {
    try {
      await timed('worst_run_ms', async () => {
        const { status, body } = await timed('worst_create_ms', () =>
          patiently(() =>
            when.createsPlanRun(home, [when.fetchCompanies, when.keepBerlin], {}, idempotent(found.runs)),
          ),
        );
        if (status !== 202 && status !== 200)
          throw new Error(`create answered ${status} ${JSON.stringify(body)}`);
        await timed('worst_read_ms', () => call('GET', `/runs/${body.id}`, { ...home }));
        await logToItsEnd(home, body.id);
      });
      found.runs += 1;
    } catch (error) {
      breaches.push(`the bystander: ${error}`);
    }
    await wait(EVERY_MS);
  }
  return { breaches, ...found };
}
