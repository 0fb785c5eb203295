// The replies of handlers: JSON, text, bytes, or a body piece by piece. The edge adds the headers that all replies
// share.
import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { Route, RouteName, routes } from '#contract/routes.ts';

type Headers = Readonly<Record<string, string>>;

/** Work that the invocation completes after it has sent a streamed reply; it never rejects. */
type Unfinished = Promise<void> | undefined;

/** A reply with a JSON body; undefined sends none. */
export interface Reply<Status extends number = number, Body = unknown> {
  status: Status;
  body: Body;
  headers?: Headers;
  unfinished?: Unfinished;
}

/** A reply whose body is finished text. */
export interface TextReply {
  status: number;
  text: string;
  headers?: Headers;
  unfinished?: Unfinished;
}

/** A reply whose body is bytes. */
export interface BytesReply {
  status: number;
  bytes: Buffer;
  headers?: Headers;
}

/** A reply whose body is sent piece by piece. */
export interface StreamedReply<Status extends number = number> {
  status: Status;
  /** A Readable, when it has something open before it is read. */
  stream: AsyncIterable<string> | Readable;
  headers?: Headers;
  /** A reader who takes nothing for so long is let go; absent: only the function's time ends the reply. */
  idle_ms?: number | undefined;
  /** What follows when the last piece is sent, or the connection broken; it never rejects. */
  ended?: (() => Promise<void>) | undefined;
}

export type AnyReply = Reply | TextReply | BytesReply | StreamedReply;

type BodyOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** The JSON replies that a route's row allows: each status with its own body. */
export type ReplyOf<R extends Route> = R extends Route
  ? { [S in keyof R['replies'] & number]: Reply<S, BodyOf<R['replies'][S]>> }[keyof R['replies'] & number]
  : never;

/** What the stack of a route sends: in pieces only where its row says so. */
export type SentBy<N extends RouteName> =
  | Reply
  | TextReply
  | ((typeof routes)[N] extends { streaming: true } ? StreamedReply : never);

export function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Headers = {},
): Reply<Status, Body> {
  return { status, body, headers };
}

/**
 * The reply of a create: 202 for a new run, 200 for the one that an earlier, equal request made (rules.md: idempotency
 * 1).
 */
export function created<Body>(body: Body, replayed: boolean): Reply<200, Body> | Reply<202, Body> {
  return replayed ? reply(200, body, { 'Idempotency-Replayed': 'true' }) : reply(202, body);
}

/** The body of a reply as text. */
export function bodyText(reply: Reply | TextReply): string {
  if ('text' in reply) return reply.text;
  return reply.body === undefined ? '' : JSON.stringify(reply.body);
}
