// What runs cost on AWS: what the bench has counted, at list prices.
import { permissions } from '../../../lib/permissions.ts';

/** USD in us-east-1 for one of each, without free tiers: the pages aws.amazon.com/SERVICE/pricing, as of 2026. */
const listPrices = {
  state_transition: 25 / 1e6,
  write_unit: 0.625 / 1e6,
  read_unit: 0.125 / 1e6,
  api_request: 3.5 / 1e6,
  lambda_request: 0.2 / 1e6,
  /** On arm64. */
  lambda_gb_second: 0.0000133334,
  queue_request: 0.4 / 1e6,
  log_gb: 0.5,
} as const;

/** How often a client asks for the status of a run that it waits for. */
const STATUS_READS = 5;
/** A message is sent, received and deleted. */
const REQUESTS_PER_MESSAGE = 3;
/** The line that the gateway writes about a request. */
const ACCESS_LOG_BYTES = 400;
/**
 * What warm invocations take on AWS, where a call of DynamoDB takes some 5 ms: on this machine they would mean nothing.
 */
const billedMs: Record<string, number> = {
  Start: 150,
  // A message about a job.
  Write: 60,
  // Waits for two questions, and no longer makes the call of DynamoDB that they need.
  ExecuteSteps: 270,
  // Of two questions the first makes that call.
  Records: 6,
  // Stores the token of a run that waits.
  ParkRun: 30,
  DeliverWebhook: 250,
  Read: 30,
};
/** What the fetch of the run asks of the records: here in its own thread, on AWS of the function Records. */
const questions = { Records: 2 };
/** The stage's defaults for the functions that the table does not list. */
const stageMemoryMb: Record<string, number> = { ExecuteSteps: 1024, Records: 3008 };
const memoryMb = (name: string) =>
  stageMemoryMb[name] ?? Object.entries(permissions).find(([one]) => one === name)?.[1].memory_mb ?? 512;

/** What something took: a run, or one read of its status. */
export interface Counted {
  lambda_invocations: Record<string, number>;
  state_transitions: number;
  read_units: number;
  write_units: number;
  messages: number;
  log_bytes: number;
}

/**
 * USD for 1,000 runs, each created, polled occasionally, and reported by a webhook; without models. By part, and in
 * total.
 */
export function costOfThousand(run: Counted, statusRead: Counted): Record<string, number> {
  const asking = { ...run, lambda_invocations: { ...run.lambda_invocations, ...questions } };
  const sum = (of: (counted: Counted) => number) => of(asking) + STATUS_READS * of(statusRead);
  const perInvocation = (of: (name: string) => number) => (counted: Counted) =>
    Object.entries(counted.lambda_invocations).reduce((total, [name, times]) => total + times * of(name), 0);
  const requests = 1 + STATUS_READS;
  const each = {
    state_transitions: run.state_transitions * listPrices.state_transition,
    table_writes: sum(({ write_units }) => write_units) * listPrices.write_unit,
    table_reads: sum(({ read_units }) => read_units) * listPrices.read_unit,
    api_requests: requests * listPrices.api_request,
    lambda_requests: sum(perInvocation(() => 1)) * listPrices.lambda_request,
    lambda_gb_seconds:
      sum(perInvocation((name) => ((billedMs[name] ?? 0) / 1000) * (memoryMb(name) / 1024))) *
      listPrices.lambda_gb_second,
    queue: run.messages * REQUESTS_PER_MESSAGE * listPrices.queue_request,
    logs: ((sum(({ log_bytes }) => log_bytes) + requests * ACCESS_LOG_BYTES) / 1e9) * listPrices.log_gb,
  };
  const parts = Object.entries(each).map(([part, usd]) => [part, rounded(1000 * usd)] as const);
  return {
    ...Object.fromEntries(parts),
    total: rounded(1000 * Object.values(each).reduce((total, usd) => total + usd, 0)),
  };
}

const rounded = (usd: number) => Math.round(usd * 1e5) / 1e5;
