// The type of every middleware of the edge, and what the first two add for all others.
import type { MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { GatewayEvent, HttpRequest } from './http-request.ts';
import type { AnyReply } from './replies.ts';

/** What every handler and every later middleware finds in the context of the invocation. */
export interface Received {
  request: HttpRequest;
  /** The caller's X-Request-Id when it is well-formed, else a new one. */
  request_id: string;
}

/** A middleware that adds `Added` to the context, which has what earlier ones have added. */
export type Middleware<Added = unknown> = MiddlewareObj<
  GatewayEvent,
  AnyReply,
  Error,
  Context & Received & Added
>;

/**
 * A complete stack, as Lambda calls it. middy's types require the caller to pass what the middlewares add to the
 * context; the parameters of a method are compared loosely enough to ignore that.
 */
export type Stack<R> = { handle(event: GatewayEvent, context: Context): Promise<R> }['handle'];
