// The records of workspaces, for those who ask questions.
import type { FoundGroups, GroupQuery } from '#contract/record-queries.ts';
import { askReader } from '#domain/records/ask-reader.ts';
import { ServiceTrouble } from '#platform/service-trouble.ts';
import type { OperationInput, OperationOutput } from '#record-index/operations.ts';
import { ReadingStopped, TooCostly } from '#record-index/reading.ts';
import type { SeenHead } from '#store/records/record-heads.ts';
import type { Followed, RecordQuestion } from './question.ts';
import { RecordsBehind } from './records-behind.ts';
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
  let first: Promise<Followed | undefined> | undefined;
  return async <N extends Asked>(operation: N, ...[input]: InputIfAny<N>) => {
    // One question has the index catch up; the others need not, and go to the copy that has.
    const after = first && (await first);
    const head = seen?.head && { head: seen.head, age_ms: Date.now() - seen.seen_at };
    const asked = { workspace_ids: [workspaceId], operation, input };
    const question = { ...asked, after, seen: head, budget_ms: budgetMs };
    const answer = ask(question, reading);
    first ??= answer.then(
      ({ followed }) => followed,
      () => undefined,
    );
    const { output } = await answer;
    // The function answers with what the operation of this name returns.
    return output as OperationOutput<N>;
  };
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
): Promise<{ output?: unknown; followed: Followed }> {
  const step = reading && { run: reading.run, left: reading.left };
  const answer = await askReader({ ...question, step });
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
