// Faults that tests inject: requests throttled, in conflict, lost after their effect, repeated, or changed.
import { AwsError, type AwsReply } from '../../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsRequest } from '../../../lib/local/aws-endpoint/aws-request.ts';
import { conflict } from './conflicts.ts';
import type { Forward, Guard } from './observed-services.ts';
import { partly } from './partly.ts';

/**
 * What happens to a request. `lost`: it takes effect, but the caller gets an error. `cut`: it takes effect, but the
 * connection is cut. `partial`: half of a batch is left unprocessed. `changed`: whatever `answer` does.
 */
type Fault =
  | { kind: 'throttle' }
  | { kind: 'conflict' }
  | { kind: 'error' }
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
    async guard(request, forward) {
      const fault = faultOf(request);
      if (!fault) return forward(request);
      if (fault.kind === 'throttle') throw throttled(request.service);
      if (fault.kind === 'conflict')
        throw request.service === 'dynamodb' ? conflict(request) : internalError();
      if (fault.kind === 'error') throw internalError();
      if (fault.kind === 'partial') return partly(request, forward);
      if (fault.kind === 'changed') return fault.answer(forward);
      const reply = await forward(request);
      if (fault.kind === 'lost') throw internalError();
      if (fault.kind === 'cut') throw new AwsError('ConnectionReset', 'The connection is cut.', 500);
      return fault.kind === 'duplicate' ? forward(request) : reply;
    },
  };
}

function throttled(service: string): AwsError {
  if (service === 's3') return new AwsError('SlowDown', 'Please reduce your request rate.', 503);
  if (service !== 'dynamodb') return new AwsError('ThrottlingException', 'Rate exceeded.');
  return new AwsError(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput was exceeded.',
  );
}

function internalError(): AwsError {
  return new AwsError('InternalServerError', 'Internal server error.', 500);
}
