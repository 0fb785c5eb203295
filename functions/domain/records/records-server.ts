// Answers questions from the record indexes on this function's disk.
import { isServiceTrouble } from '#platform/service-trouble.ts';
import { type Allowance, ReadingStopped, TooCostly } from '#record-index/reading.ts';
import { IndexBusy, IndexDamaged, performOn } from '#record-index/record-index.ts';
import { type CurrentIndex, currentIndex, loseIndex } from './current-index.ts';
import { type Freshness, type RecordAnswer, type RecordQuestion, RecordsBehind } from './records-protocol.ts';
import { createStepReading, type StepReading } from './step-reading.ts';
import { withObjects } from './with-objects.ts';

/** The answer. Throws what no asker can do anything about. */
export async function answerQuestion(question: RecordQuestion): Promise<RecordAnswer> {
  const reading = question.step && createStepReading(question.step.run, question.step.left);
  try {
    const { output, freshness } = await read(question, reading);
    return { outcome: 'read', output, used: usedBy(question, reading), freshness };
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
  { workspace_ids, operation, input, freshness, budget_ms }: RecordQuestion,
  reading: StepReading | undefined,
): Promise<{ output: unknown; freshness: Freshness }> {
  const opened = () => Promise.all(workspace_ids.map((id) => currentIndex(id, budget_ms, freshness)));
  const perform = async (indexes: CurrentIndex[]) => {
    const [file = '', ...other_files] = indexes.map((index) => index.file);
    const given = operation === 'group' ? { query: input, other_files } : input;
    const work = () => withObjects(() => performOn(file, operation, given, reading));
    const output = await (reading ? reading.watch(work) : work());
    return { output, freshness: oldest(indexes) };
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

/** How fresh an answer from all of these is. */
function oldest(indexes: CurrentIndex[]): Freshness {
  const [index] = indexes.map((one) => one.index).toSorted((left, right) => left.at - right.at);
  return { index };
}

/** What the reading took of the allowance of its step. */
function usedBy({ step }: RecordQuestion, reading: StepReading | undefined): Allowance {
  if (!step || !reading) return { ms: 0, pairs: 0 };
  return { ms: step.left.ms - reading.left.ms, pairs: step.left.pairs - reading.left.pairs };
}
