// Faults that tests inject: requests throttled, in conflict, delayed, lost after their effect, repeated, or changed.
import { setTimeout as pause } from 'node:timers/promises';
import { AwsError, type AwsReply } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { Forward, Guard } from './door.ts';
import type { ServiceEndpoint } from './service-endpoint.ts';

/**
 * What happens to a request. `lost`: it takes effect, but the caller gets an error. `cut`: it takes effect, but the
 * connection is cut. `partial`: half of a batch is left unprocessed. `changed`: whatever `answer` does.
 */
type Fault =
  | { kind: 'throttle' }
  | { kind: 'conflict' }
  | { kind: 'error' }
  | { kind: 'delay'; ms: number }
  | { kind: 'lost' }
  | { kind: 'cut' }
  | { kind: 'duplicate' }
  | { kind: 'partial' }
  | { kind: 'changed'; answer: (forward: Forward) => Promise<AwsReply> };

/** Decides whether a request fails. */
type FaultRule = (request: AwsRequest) => Fault | undefined;

/** The active rules; the first that returns a fault wins. */
export interface Faults {
  guard: Guard;
  /** Adds a rule; the returned function removes it. */
  add(rule: FaultRule): () => void;
  clear(): void;
}

/** No rules: every request passes. */
export function createFaults(): Faults {
  const rules = new Set<FaultRule>();
  const faultOf = (request: AwsRequest): Fault | undefined => {
    for (const rule of rules) {
      const fault = rule(request);
      if (fault) return fault;
    }
    return undefined;
  };
  return {
    add(rule) {
      rules.add(rule);
      return () => rules.delete(rule);
    },
    clear: () => rules.clear(),
    async guard(request, { endpoint }, forward) {
      const fault = faultOf(request);
      if (!fault) return forward(request);
      if (fault.kind === 'throttle') throw throttled(endpoint);
      if (fault.kind === 'conflict') throw endpoint.conflict?.(request) ?? internalError();
      if (fault.kind === 'error') throw internalError();
      if (fault.kind === 'partial') return endpoint.partly?.(request, forward) ?? forward(request);
      if (fault.kind === 'changed') return fault.answer(forward);
      if (fault.kind === 'delay') await pause(fault.ms);
      const reply = await forward(request);
      if (fault.kind === 'lost') throw internalError();
      if (fault.kind === 'cut') throw new AwsError('ConnectionReset', 'The connection is cut.', 500);
      return fault.kind === 'duplicate' ? forward(request) : reply;
    },
  };
}

function throttled({ throttled: own }: ServiceEndpoint): AwsError {
  const { code, message, status } = own ?? {
    code: 'ThrottlingException',
    message: 'Rate exceeded.',
    status: 400,
  };
  return new AwsError(code, message, status);
}

function internalError(): AwsError {
  return new AwsError('InternalServerError', 'Internal server error.', 500);
}
