// A bounded fuzz: so many requests of a seed, each answer judged.
import { codeOf, faultOf } from './judge.ts';
import { random } from './random.ts';
import { type FuzzedRequest, fuzzedRequest, type Pool } from './request.ts';
import { send } from './send.ts';

interface Breach {
  index: number;
  fault: string;
  request: string;
}

export interface Report {
  seed: number;
  requests: number;
  /** How often each status and each error code came. */
  statuses: Record<string, number>;
  codes: Record<string, number>;
  breaches: Breach[];
}

export interface Bounds {
  seed: number;
  /** Indexes from `first` up to, not including, `end`. */
  first: number;
  end: number;
  parallel: number;
}

const BREACHES_SHOWN = 20;
const SHOWN_CHARACTERS = 600;

function shown({ method, path, headers, body }: FuzzedRequest): string {
  const sent = Buffer.isBuffer(body) ? `hex:${body.toString('hex').slice(0, 100)}` : (body ?? '');
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, SHOWN_CHARACTERS);
}

/** Sends the requests and judges the answers; never throws for what the service does. */
export async function fuzz(siteUrl: string, pool: Pool, bounds: Bounds): Promise<Report> {
  const report: Report = { seed: bounds.seed, requests: 0, statuses: {}, codes: {}, breaches: [] };
  const tally = (counts: Record<string, number>, name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  async function one(index: number): Promise<void> {
    const request = fuzzedRequest(random(bounds.seed, index), pool);
    const breach = (fault: string) => report.breaches.push({ index, fault, request: shown(request) });
    report.requests += 1;
    try {
      const answer = await send(siteUrl, request);
      const fault = faultOf(request, answer);
      tally(report.statuses, String(answer.status));
      tally(report.codes, codeOf(answer) ?? 'none');
      if (fault !== undefined) breach(fault);
    } catch (error) {
      breach(error instanceof Error ? error.message : String(error));
    }
  }
  let next = bounds.first;
  const worker = async () => {
    while (next < bounds.end && report.breaches.length < BREACHES_SHOWN) {
      next += 1;
      await one(next - 1);
    }
  };
  await Promise.all(Array.from({ length: bounds.parallel }, worker));
  return report;
}
