// Sends a reply through Lambda's response stream: without the limits of 6 MB and 29 s, and piece by piece.
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, log, logAbout } from '#platform/log.ts';
import { requestTrace } from '#platform/trace-ids.ts';
import { type GatewayEvent, methodOf } from './http-request.ts';
import type { Stack } from './middleware.ts';
import { paced, ReaderIdle } from './paced.ts';
import { type AnyReply, type BytesReply, bodyText } from './replies.ts';

/**
 * The Lambda handler of a stack whose replies stream. A body of pieces must end by itself: Lambda does not report a
 * client that disconnects. A failure after the first piece fails the invocation, so that the connection breaks and the
 * client resumes.
 */
export function streamed<R extends Exclude<AnyReply, BytesReply>>(stack: Stack<R>) {
  return awslambda.streamifyResponse<GatewayEvent>(async (event, output, context) => {
    // Otherwise the timer of an idle connection would keep the environment running, and billed, after the reply.
    context.callbackWaitsForEmptyEventLoop = false;
    await logAbout({ trace_id: requestTrace() }, async () =>
      send(await answered(stack(event, context)), output, methodOf(event) === 'HEAD'),
    );
  });
}

/** The reply of the stack. Its failure ends the invocation without a head, so that the log alone says why. */
async function answered<R>(reply: Promise<R>): Promise<R> {
  try {
    return await reply;
  } catch (error) {
    log.error('reply failed before its head', { error: describe(error) });
    throw error;
  }
}

/** Sends the reply. Lambda sends status and headers only with a `write`: an `end` alone would lose them. */
async function send(
  reply: Exclude<AnyReply, BytesReply>,
  output: Writable,
  headOnly: boolean,
): Promise<void> {
  const head = { statusCode: reply.status, headers: { ...reply.headers } };
  const opened = awslambda.HttpResponseStream.from(output, head);
  // A stream may have no bytes, and a gateway sends none of them for HEAD.
  opened.write('stream' in reply ? '' : bodyText(reply));
  if (!('stream' in reply) || headOnly) {
    // For HEAD the stream would keep the function running.
    opened.end();
    if ('stream' in reply && reply.stream instanceof Readable) reply.stream.destroy();
    if ('stream' in reply) await reply.ended?.();
    // The client has its reply; the environment runs until the handler is done.
    if ('unfinished' in reply) await reply.unfinished;
    return;
  }
  try {
    await pipeline(reply.stream, reply.idle_ms === undefined ? opened : paced(opened, reply.idle_ms));
  } catch (error) {
    const level = error instanceof ReaderIdle ? 'warn' : 'error';
    log[level]('stream failed', { request_id: head.headers['X-Request-Id'], error: describe(error) });
    throw error;
  } finally {
    await reply.ended?.();
  }
}
