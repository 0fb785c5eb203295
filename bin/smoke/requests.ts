// Requests of the smoke test to a service, as any client sends them.
import { setTimeout as pause } from 'node:timers/promises';
import type * as z from 'zod';
import { RunEnvelope } from '../../functions/contract/runs.ts';

/** A service as its clients see it: `baseUrl` ends in `/v1`. */
export interface Service {
  baseUrl: string;
  apiKey: string;
}

/** Notes that a check has passed. Throws SmokeFailed, with what was found, if it has not. */
export type ExpectThat = (check: string, passed: boolean, found: unknown) => void;

/** The first check that failed. */
export class SmokeFailed extends Error {
  constructor(check: string, found: unknown) {
    super(`${check}: ${JSON.stringify(found)}`);
    this.name = 'SmokeFailed';
  }
}

/** The longest wait for an answer. */
export const REQUEST_TIMEOUT_MS = 60_000;
const END_TIMEOUT_MS = 120_000;
const POLL_MS = 1000;

/** What the service answered. */
export interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends a request and waits for its answer. */
export async function ask(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The body of an answer with that status. Throws SmokeFailed in the name of the check. */
export function read<S extends z.ZodType>(
  schema: S,
  check: string,
  answer: Answer,
  status: number,
): z.output<S> {
  const body = schema.safeParse(answer.body);
  if (answer.status !== status || !body.success) throw new SmokeFailed(check, answer);
  return body.data;
}

/** The run when it has ended, or after two minutes. */
export async function ended(service: Service, id: string): Promise<z.infer<typeof RunEnvelope>> {
  const deadline = Date.now() + END_TIMEOUT_MS;
  for (;;) {
    const answer = await ask(`${service.baseUrl}/runs/${id}`, withKey(service));
    const run = read(RunEnvelope, 'the run can be read', answer, 200);
    if (run.completed_at !== undefined || Date.now() > deadline) return run;
    await pause(POLL_MS);
  }
}

/** A request with the service's key. */
export const withKey = ({ apiKey }: Service): RequestInit => ({
  headers: { Authorization: `Bearer ${apiKey}` },
});

/** A POST with the service's key. */
export function posted(service: Service, body?: object, idempotencyKey?: string): RequestInit {
  return {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${service.apiKey}`,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  };
}
