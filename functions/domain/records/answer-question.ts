// Answers a question from the record indexes on this function's disk.
import { newId } from '#platform/ids.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { type Allowance, ReadingStopped, TooCostly } from '#record-index/reading.ts';
import { IndexBusy, IndexDamaged, performOn } from '#record-index/record-index.ts';
import { type CurrentIndex, currentIndex, loseIndex } from './current-index.ts';
import type { Followed, RecordAnswer, RecordQuestion } from './question.ts';
import { RecordsBehind } from './records-behind.ts';
import { createStepReading, type StepReading } from './step-reading.ts';
import { withObjects } from './with-objects.ts';

/** The environment that this code runs in. */
const ENVIRONMENT = newId();

/** The answer. Throws what no asker can do anything about. */
export async function answerQuestion(question: RecordQuestion): Promise<RecordAnswer> {
  const reading = question.step && createStepReading(question.step.run, question.step.left);
  try {
    const { output, followed } = await read(question, reading);
    return { outcome: 'read', output, used: usedBy(question, reading), followed };
  } catch (error) {
    if (error instanceof RecordsBehind || error instanceof IndexBusy) return { outcome: 'behind' };
    if (error instanceof ReadingStopped) return { outcome: 'stopped' };
    if (error instanceof TooCostly)
      return { outcome: 'too_costly', reason: error.reason, limit: error.limit };
    if (isServiceTrouble(error)) return { outcome: 'trouble', message: `${error.name}: ${error.message}` };
    throw error;
  }
}

async function read(
  { workspace_ids, operation, input, after, seen, budget_ms }: RecordQuestion,
  reading: StepReading | undefined,
): Promise<{ output: unknown; followed: Followed }> {
  const known = {
    after: after?.environment === ENVIRONMENT ? after.at : undefined,
    seen: seen && { head: seen.head, seen_at: Date.now() - seen.age_ms },
  };
  const opened = () => Promise.all(workspace_ids.map((id) => currentIndex(id, budget_ms, known)));
  const perform = async (indexes: CurrentIndex[]) => {
    const [file = '', ...other_files] = indexes.map((index) => index.file);
    const given = operation === 'group' ? { query: input, other_files } : input;
    const work = () => withObjects(() => performOn(file, operation, given, reading));
    const output = await (reading ? reading.watch(work) : work());
    const at = Math.min(...indexes.map(({ followed_at }) => followed_at));
    return { output, followed: { environment: ENVIRONMENT, at } };
  };
  const indexes = await opened();
  try {
    return await perform(indexes);
  } catch (error) {
    if (!(error instanceof IndexDamaged)) throw error;
    // The files are copies: rebuild them from the table.
    await Promise.all(indexes.map(({ file }) => loseIndex(file)));
    return perform(await opened());
  }
}

/** What the reading took of the allowance of its step. */
function usedBy({ step }: RecordQuestion, reading: StepReading | undefined): Allowance {
  if (!step || !reading) return { ms: 0, pairs: 0 };
  return { ms: step.left.ms - reading.left.ms, pairs: step.left.pairs - reading.left.pairs };
}
