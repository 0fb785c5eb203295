// What is left of a run when it has ended, and what is wrong with it when it did not end as it must, once.

import type { RunEvent } from '../../../../functions/contract/events.ts';
import { endsIn, isFinished } from '../../work.ts';

interface Run {
  id: string;
  status: string;
  usage: { calls: number; credits_used: number | null; cost_usd: number };
}

interface Delivery {
  event_id: string;
  status: string;
}

/** All that is left of a run. */
interface Remains {
  run: Run;
  log: RunEvent[];
  /** Undefined where no webhook was asked for. */
  webhooks?: {
    deliveries: Delivery[];
    /** Ids of the events that the receiver was sent. */
    posted: string[];
    /** Whether the delivery must have been made by now. */
    must_be_delivered: boolean;
  };
}

export interface Ended {
  name: string;
  remains: Remains;
  /** How it must have ended, in one of these ways, with so many credits and calls where they are known. */
  must: { statuses: readonly string[]; credits?: number; calls?: number };
}

/** What is wrong with a run that has ended. */
export function breachesOf({ name, remains: { run, log, webhooks }, must }: Ended): string[] {
  const finals = endsIn(log);
  const end = finals[0];
  const starts = log.flatMap((event) =>
    event.event_type === 'step.started' ? [`${event.data.step_index}/${event.data.attempt}`] : [],
  );
  const checks: [string, boolean][] = [
    ['gap in the log', log.every(({ sequence }, n) => sequence === n + 1)],
    ['time goes back', log.every((one, n) => one.occurred_at >= (log[n - 1]?.occurred_at ?? 0))],
    ['not one end', finals.length === 1 && isFinished(log) && end?.event_type === `run.${run.status}`],
    ['a step started twice', new Set(starts).size === starts.length],
    ['a second attempt', starts.every((start) => start.endsWith('/1'))],
    [`ended ${run.status}`, must.statuses.includes(run.status)],
    [`${run.usage.calls} calls`, must.calls === undefined || run.usage.calls === must.calls],
    [
      `${run.usage.credits_used} credits for ${must.credits}`,
      must.credits === undefined || run.usage.credits_used === must.credits,
    ],
  ];
  if (webhooks) {
    const { deliveries, posted, must_be_delivered } = webhooks;
    const [delivery] = deliveries;
    checks.push(
      [`${deliveries.length} deliveries`, deliveries.length === 1 && delivery?.event_id === end?.id],
      [
        `delivery ${delivery?.status}`,
        !must_be_delivered || (delivery?.status === 'delivered' && posted.length > 0),
      ],
      ['another event was posted', posted.every((id) => id === end?.id)],
    );
  }
  return checks.filter(([, holds]) => !holds).map(([what]) => `${name} ${run.id}: ${what}`);
}

/** Every run has ended once, as it must, with a log without gaps and one delivery. */
export const ends = async (_world: unknown, ended: readonly Ended[]): Promise<string[]> =>
  ended.flatMap(breachesOf);
