// The records of workspaces, for those who ask questions.
import { fail } from '#contract/errors.ts';
import type { FoundGroups, GroupQuery } from '#contract/record-queries.ts';
import { askServer } from '#domain/records/records-transport.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import type { OperationInput, OperationOutput } from '#record-index/index-operations.ts';
import { ReadingStopped, TooCostly } from '#record-index/reading-limits.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import { type Freshness, type RecordQuestion, RecordsBehind } from './records-protocol.ts';
import type { StepReading } from './step-reading.ts';

/** What may be asked of the records of one workspace. */
type Asked = Exclude<RecordQuestion['operation'], 'group'>;

/** The input of an operation, for those that have one. */
type InputIfAny<N extends Asked> = undefined extends OperationInput<N> ? [] : [OperationInput<N>];

/** Asks a question. */
export type AskRecords = <N extends Asked>(
  operation: N,
  ...input: InputIfAny<N>
) => Promise<OperationOutput<N>>;

interface OpenOptions {
  /** Limits the readings; absent: they take as long as they need. */
  reading?: StepReading;
  /** The head of the records as the caller has read it. */
  seen?: SeenHead | undefined;
}

/**
 * Opens the records of a workspace: every answer has everything that was written before the first question. Answers
 * throw RecordsBehind when an index needs longer than `budgetMs` for that, ServiceTrouble, and within the reading of a
 * step also TooCostly and ReadingStopped.
 */
export function openRecords(
  workspaceId: string,
  budgetMs: number,
  { reading, seen }: OpenOptions = {},
): AskRecords {
  let first: Promise<Freshness> | undefined;
  return async <N extends Asked>(operation: N, ...[input]: InputIfAny<N>) => {
    // One question has the index catch up; the others need not, and go to the copy that has.
    const known = first && (await first);
    const head = seen?.head && { value: seen.head, age_ms: Date.now() - seen.seen_at };
    const asked = { workspace_ids: [workspaceId], operation, input };
    const question = { ...asked, freshness: { ...known, head }, budget_ms: budgetMs };
    const answer = ask(question, reading);
    first ??= answer.then(
      ({ freshness }) => freshness,
      () => ({}),
    );
    const { output } = await answer;
    // The function answers with what the operation of this name returns.
    return output as OperationOutput<N>;
  };
}

/**
 * How long a request waits for the index. A step can be retried, a request cannot, and the rest of its 45 s may be a
 * model's.
 */
export const REQUEST_WAIT_MS = 15_000;

/** The same for a request. Answers throw upstream_timeout when they take too long. */
export function openForRequest(workspaceId: string): AskRecords {
  const ask = openRecords(workspaceId, REQUEST_WAIT_MS);
  return async (operation, ...input) => {
    try {
      return await ask(operation, ...input);
    } catch (error) {
      throw requestError(error);
    }
  };
}

/** The error of a request whose wait failed: 504 upstream_timeout when the index is behind, else the error itself. */
export function requestError(error: unknown): unknown {
  if (!(error instanceof RecordsBehind)) return error;
  return fail('upstream_timeout', { details: { dependency: 'records', timeout_ms: REQUEST_WAIT_MS } });
}

/** The groups of the records of several workspaces. Throws as the answers of `openRecords` do. */
export async function groupRecords(
  workspaceIds: string[],
  query: GroupQuery,
  budgetMs: number,
  reading: StepReading,
): Promise<FoundGroups> {
  const group = { operation: 'group', input: query, budget_ms: budgetMs } as const;
  const { output } = await ask({ ...group, workspace_ids: workspaceIds }, reading);
  // As above.
  return output as FoundGroups;
}

async function ask(
  question: RecordQuestion,
  reading: StepReading | undefined,
): Promise<{ output?: unknown; freshness: Freshness }> {
  const step = reading && { run: reading.run, left: reading.left };
  const answer = await askServer({ ...question, step });
  switch (answer.outcome) {
    case 'behind':
      throw new RecordsBehind(question.workspace_ids.join(', '));
    case 'stopped':
      throw new ReadingStopped();
    case 'too_costly':
      throw new TooCostly(answer.reason, answer.limit);
    case 'trouble':
      throw new ServiceTrouble(answer.message);
    case 'read':
      if (reading) {
        reading.left.ms -= answer.used.ms;
        reading.left.pairs -= answer.used.pairs;
      }
      return answer;
  }
}
