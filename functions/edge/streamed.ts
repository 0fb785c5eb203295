// Sends a reply through Lambda's response stream: no limit of 6 MB or 29 s, and a body may come piece by piece.
import type { Writable } from 'node:stream';
import { describe, log } from '#platform/log.ts';
import type { GatewayEvent } from './http-request.ts';
import type { Stack } from './middleware.ts';
import { pipeBody } from './pipe-body.ts';
import { type AnyReply, bodyText } from './replies.ts';

/**
 * The Lambda handler of a stack whose replies stream. middy's own mode for this fails the invocation or waits for ever when a reader
 * leaves; it neither drops a reader that stalls nor tells the body that its reader has left.
 */
export function streamed<R extends AnyReply>(stack: Stack<R>) {
  return awslambda.streamifyResponse<GatewayEvent>(async (event, output, context) => {
    await send(await stack(event, context), output);
  });
}

/** Opens the reply and sends it. Only a `write` makes Lambda send status and headers: an `end` alone would lose them. */
async function send(reply: AnyReply, output: Writable): Promise<void> {
  const head = { statusCode: reply.status, headers: { ...reply.headers } };
  const opened = awslambda.HttpResponseStream.from(output, head);
  if (!('stream' in reply)) {
    opened.write(bodyText(reply));
    opened.end();
    return;
  }
  try {
    await pipeBody(reply.stream, opened);
  } catch (error) {
    log.error('stream failed', { request_id: head.headers['X-Request-Id'], error: describe(error) });
    throw error;
  }
}
