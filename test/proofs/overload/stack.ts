// A small stack in virtual time: workspaces with slots, functions with a limit, the state machine's own retries.
import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { SQSClient } from '@aws-sdk/client-sqs';
import { Aws } from 'aws-cdk-lib';
import { mockClient } from 'aws-sdk-client-mock';
import { RunKey } from '#contract/keys.ts';
import { builtInPrices } from '#contract/prices.ts';
import { executeSlice, type NextAction, type SliceSetting } from '#domain/execution/execute-slice.ts';
import { failRun } from '#domain/execution/fail-run.ts';
import { sourcesOf } from '#domain/execution/run-sources.ts';
import { sweepRuns } from '#domain/recovery/sweep-runs.ts';
import { sweepSlots } from '#domain/recovery/sweep-slots.ts';
import type { Model } from '#models/model.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { runMachine } from '../../../lib/constructs/run-machine.ts';
import {
  matchesError,
  type Retrier,
  readMachine,
  retryDelaySeconds,
} from '../../../lib/local/step-functions/asl.ts';
import { sweepTime } from '../../support/sweep-time.ts';
import type { Scheduler } from '../sim/scheduler.ts';

const SWEEP_MS = 60_000;
const SLICE_MS = 600_000;
const PARALLEL_CALLS = 3;

const lambda = (name: string) => `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
const tasks = { executeSteps: lambda('E'), parkRun: lambda('P'), failRun: lambda('F') };
const definition = JSON.stringify(runMachine(tasks)).replaceAll(Aws.PARTITION, 'aws');
const first = readMachine(definition, 'runs').states.get('ExecuteSteps');
const retriers: Retrier[] = first?.type === 'Task' ? first.retry : [];

export interface Stack {
  setting: SliceSetting;
  /** Resolves when the execution of this name has ended. */
  ended(execution: string): Promise<void>;
  /** How often a task found no function free. */
  crowded: number;
  stop(): void;
}

/** No function is free. */
class TooMany extends Error {
  override readonly name = 'Lambda.TooManyRequestsException';
}

const nameOf = (error: unknown) =>
  isServiceTrouble(error) ? 'ServiceTrouble' : error instanceof Error ? error.name : 'Unknown';

/** Starts the functions and the sweep; at most `functions` slices run at once. */
export function startStack(scheduler: Scheduler, model: Model, functions: number): Stack {
  const endings = new Map<string, PromiseWithResolvers<void>>();
  const executions = new Map<string, { startDate: Date; over: boolean }>();
  let running = 0;
  let over = false;
  const ending = (name: string) => {
    const known = endings.get(name) ?? Promise.withResolvers<void>();
    endings.set(name, known);
    return known;
  };
  const stack: Stack = {
    setting: {
      model,
      prices: builtInPrices,
      max_parallel_calls: PARALLEL_CALLS,
      model_wait_seconds: 0,
      slice_ms: SLICE_MS,
      steps_per_slice: undefined,
      sourcesFor: (run) => sourcesOf(run, async (texts) => texts.map(() => [1])),
    },
    ended: (name) => ending(name).promise,
    crowded: 0,
    stop: () => {
      over = true;
    },
  };

  async function invoked<T>(work: () => Promise<T>): Promise<T> {
    if (running >= functions) {
      stack.crowded += 1;
      throw new TooMany();
    }
    running += 1;
    return work().finally(() => {
      running -= 1;
    });
  }

  async function execute(execution: string, key: RunKey): Promise<void> {
    const failures = new Map<Retrier, number>();
    for (let action: NextAction = 'continue'; action !== 'end'; ) {
      try {
        action = await invoked(() => executeSlice({ ...key, execution }, stack.setting));
        failures.clear();
      } catch (error) {
        const rule = retriers.find(({ errors }) => matchesError(errors, nameOf(error)));
        const failed = rule ? (failures.get(rule) ?? 0) + 1 : 0;
        if (!rule || failed > rule.maxAttempts) {
          await failRun({ ...key, execution }, nameOf(error));
          break;
        }
        failures.set(rule, failed);
        await scheduler.sleep(retryDelaySeconds(rule, failed) * 1000);
      }
    }
  }

  mockClient(SQSClient);
  mockClient(SFNClient)
    .on(StartExecutionCommand)
    .callsFake(async ({ name, input }) => {
      const known = executions.get(name);
      if (known?.over) throw new ExecutionAlreadyExists({ message: name, $metadata: {} });
      const execution = known ?? { startDate: new Date(Date.now()), over: false };
      executions.set(name, execution);
      if (!known)
        void execute(name, RunKey.parse(JSON.parse(input))).finally(() => {
          execution.over = true;
          ending(name).resolve();
        });
      return { startDate: execution.startDate };
    });

  async function sweepEveryMinute(): Promise<void> {
    while (!over) {
      await scheduler.sleep(SWEEP_MS);
      const time = sweepTime(Date.now());
      await Promise.all([sweepRuns(time), sweepSlots(time)]);
    }
  }
  void sweepEveryMinute();
  return stack;
}
