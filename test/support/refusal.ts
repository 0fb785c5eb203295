// Asserts a refused request.
import { expect } from 'vitest';
import type { HttpReply } from './service.ts';

/** The reply is the envelope of this code with exactly these details and this param (undefined: none). */
export function expectRefusal(
  reply: HttpReply,
  status: number,
  code: string,
  { param, details }: { param?: string; details?: unknown } = {},
): void {
  const { error = {} } = reply.body;
  expect({ status: reply.status, code: error.code, param: error.param }).toEqual({ status, code, param });
  if (details !== undefined) expect(error.details).toEqual(details);
}
