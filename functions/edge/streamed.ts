// Sends a reply through Lambda's response stream: no limit of 6 MB or 29 s, and a body may come piece by piece.
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, log, logAbout } from '#platform/log.ts';
import { requestTrace } from '#platform/trace.ts';
import { type GatewayEvent, methodOf } from './http-request.ts';
import type { Stack } from './middleware.ts';
import { type AnyReply, type BytesReply, bodyText } from './replies.ts';

/**
 * The Lambda handler of a stack whose replies stream. A body of pieces must end by itself: Lambda does not tell that its reader has left.
 * What fails after the first piece fails the invocation, so that the connection breaks and the client resumes.
 */
export function streamed<R extends Exclude<AnyReply, BytesReply>>(stack: Stack<R>) {
  return awslambda.streamifyResponse<GatewayEvent>(async (event, output, context) => {
    // Else an idle connection's timer would keep the environment, and its bill, after the end of the reply.
    context.callbackWaitsForEmptyEventLoop = false;
    await logAbout({ trace_id: requestTrace() }, async () =>
      send(await stack(event, context), output, methodOf(event) === 'HEAD'),
    );
  });
}

/** Opens the reply and sends it. Only a `write` makes Lambda send status and headers: an `end` alone would lose them. */
async function send(
  reply: Exclude<AnyReply, BytesReply>,
  output: Writable,
  headOnly: boolean,
): Promise<void> {
  const head = { statusCode: reply.status, headers: { ...reply.headers } };
  const opened = awslambda.HttpResponseStream.from(output, head);
  if (!('stream' in reply) || headOnly) {
    // A gateway sends no body to HEAD, but a stream would keep the function running.
    opened.write('stream' in reply ? '' : bodyText(reply));
    opened.end();
    // The client has its answer; the environment lives on until the handler is done.
    if ('unfinished' in reply) await reply.unfinished;
    return;
  }
  try {
    await pipeline(reply.stream, opened);
  } catch (error) {
    log.error('stream failed', { request_id: head.headers['X-Request-Id'], error: describe(error) });
    throw error;
  }
}
