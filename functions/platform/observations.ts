// What is worth counting while it happens. On AWS, logs, traces and alarms serve for that; one machine counts itself.

export type Observation =
  | { what: 'model_call'; ms: number; outcome: string }
  | { what: 'model'; name: string; away: boolean }
  | { what: 'cost'; pico_usd: bigint }
  | { what: 'delivery'; outcome: 'delivered' | 'failed' }
  | { what: 'healed'; repair: string; times: number }
  | { what: 'not_healed'; problem: string; times: number };

/** Reports an observation. */
export function observe(_: Observation): void {}
