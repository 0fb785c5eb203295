// The tests' levers: calls that are throttled, in conflict, late, lost after they took effect, or made twice.

import { listAt } from '../json-values.ts';
import { AwsError } from './aws-protocol.ts';
import type { AwsRequest } from './aws-request.ts';
import type { Guard } from './endpoint-server.ts';

/** What happens to a call. `lost`: it takes effect, but the caller is told of a failure. `cut`: the same, and the connection ends. */
export type Fault =
  | { kind: 'throttle' }
  | { kind: 'conflict' }
  | { kind: 'error' }
  | { kind: 'delay'; ms: number }
  | { kind: 'lost' }
  | { kind: 'cut' }
  | { kind: 'duplicate' };

/** Decides, per call, whether something goes wrong. */
export type FaultRule = (call: AwsRequest) => Fault | undefined;

/** The rules in force; the first that names a fault wins. */
export interface Faults {
  guard: Guard;
  /** Adds a rule; the returned function takes it away. */
  add(rule: FaultRule): () => void;
  clear(): void;
}

/** Starts with no rule: every call passes. */
export function createFaults(): Faults {
  const rules = new Set<FaultRule>();
  const faultOf = (call: AwsRequest): Fault | undefined => {
    for (const rule of rules) {
      const fault = rule(call);
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
    async guard(call, forward) {
      const fault = faultOf(call);
      if (!fault) return forward(call);
      if (fault.kind === 'throttle') throw throttled(call);
      if (fault.kind === 'conflict') throw conflict(call);
      if (fault.kind === 'error') throw new AwsError('InternalServerError', 'Internal server error.', 500);
      if (fault.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
      const reply = await forward(call);
      if (fault.kind === 'lost') throw new AwsError('InternalServerError', 'Internal server error.', 500);
      if (fault.kind === 'cut') throw new AwsError('ConnectionReset', 'The connection is cut.', 500);
      return fault.kind === 'duplicate' ? forward(call) : reply;
    },
  };
}

function throttled({ service }: AwsRequest): AwsError {
  if (service === 'dynamodb')
    return new AwsError(
      'ProvisionedThroughputExceededException',
      'The level of configured provisioned throughput was exceeded.',
    );
  if (service === 's3') return new AwsError('SlowDown', 'Please reduce your request rate.', 503);
  return new AwsError('ThrottlingException', 'Rate exceeded.');
}

/** What DynamoDB answers when two transactions meet: a cancellation, or for a single write its own exception. */
function conflict({ operation, input }: AwsRequest): AwsError {
  if (operation !== 'TransactWriteItems')
    return new AwsError('TransactionConflictException', 'Transaction is ongoing for the item');
  const reasons = listAt(input.TransactItems, 'TransactItems').map(() => ({
    Code: 'TransactionConflict',
    Message: 'Transaction is ongoing for the item',
  }));
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new AwsError('TransactionCanceledException', message, 400, { CancellationReasons: reasons });
}
