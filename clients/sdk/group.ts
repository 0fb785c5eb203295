// What the groups of calls share.
import { isApiError } from './errors.ts';
import { bodyOf, type Call, type CallOptions, type CreateOptions, type Send } from './http.ts';
import type { ErrorCode } from './types.ts';

/** The calls about one noun. */
export class Group {
  protected readonly send: Send;

  constructor(send: Send) {
    this.send = send;
  }
}

/** The reply of a call that creates something, and whether an earlier request has. */
export async function created<T>(
  send: Send,
  call: Call,
  options: CreateOptions,
): Promise<T & { replayed: boolean }> {
  const headers = { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() };
  const reply = await send<T>({ ...call, headers }, options);
  return { ...reply.body, replayed: reply.headers.get('idempotency-replayed') === 'true' };
}

/** Deletes something, which is `missing` if an earlier attempt deleted it and its reply was lost. */
export async function deleted(
  send: Send,
  path: string,
  missing: ErrorCode,
  options?: CallOptions,
): Promise<void> {
  try {
    await send({ method: 'DELETE', path }, options);
  } catch (error) {
    if (!isApiError(error, missing) || error.attempts === 1) throw error;
  }
}

/** The entries of a list without pages. */
export async function listed<T>(
  send: Send,
  path: string,
  options?: CallOptions,
  query?: object,
): Promise<T[]> {
  return (await bodyOf<{ data: T[] }>(send, { method: 'GET', path, query }, options)).data;
}
