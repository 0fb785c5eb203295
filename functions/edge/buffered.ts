// Sends a reply whole, as the result of the invocation.
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import { logAbout } from '#platform/log.ts';
import { requestTrace } from '#platform/trace-ids.ts';
import type { GatewayEvent } from './http-request.ts';
import type { Stack } from './middleware.ts';
import { type BytesReply, bodyText, type Reply, type TextReply } from './replies.ts';

/** The Lambda handler of a stack whose replies API Gateway sends. */
export function buffered<R extends Reply | TextReply | BytesReply>(stack: Stack<R>) {
  return async (event: GatewayEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const reply = await logAbout({ trace_id: requestTrace() }, () => stack(event, context));
    const head = { statusCode: reply.status, headers: { ...reply.headers } };
    if ('bytes' in reply) return { ...head, body: reply.bytes.toString('base64'), isBase64Encoded: true };
    return { ...head, body: bodyText(reply) };
  };
}
