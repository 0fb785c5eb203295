// Wraps every call: ends it in time, and turns service errors into results that an agent can act on.
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { errorResult, refusal } from './results.ts';

/** Clients abandon a call after 60 s, and lose its result. */
const CALL_MAX_MS = 50_000;

type Request = ServerContext['mcpReq'];

/** One call of a tool. */
export interface ToolCall {
  /** Fires when the client cancels the call, and when the call must end. */
  signal: AbortSignal;
  request: Request;
}

/** Fires when the client cancels the request, and at the time limit of a call. */
export function endOf(request: Request): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(CALL_MAX_MS), request.signal]);
}

/** The handler of a tool: answers in time, with service errors as results. Throws the reason of a cancel. */
export function answering<Input>(call: (input: Input, call: ToolCall) => Promise<CallToolResult>) {
  return async (input: Input, { mcpReq: request }: ServerContext): Promise<CallToolResult> => {
    const signal = endOf(request);
    try {
      return await call(input, { signal, request });
    } catch (error) {
      return signal.aborted && !request.signal.aborted ? tooLate() : errorResult(error);
    }
  };
}

function tooLate(): CallToolResult {
  const message = `The service did not answer within ${CALL_MAX_MS / 1000} s.`;
  const advice =
    'What was asked for may have been done all the same: look with run_list before you call again.';
  return refusal({ code: 'no_answer_in_time', message, advice });
}
