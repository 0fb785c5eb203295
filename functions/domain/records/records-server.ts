// Answers questions from the record indexes on this function's disk.
import type { Found, Hit } from '#contract/record-queries.ts';
import { isServiceTrouble } from '#platform/service-trouble.ts';
import type { FileName } from '#record-index/files.ts';
import { IndexBusy, IndexDamaged, IndexIncomplete } from '#record-index/index-errors.ts';
import { type Allowance, ReadingStopped, TooCostly } from '#record-index/reading-limits.ts';
import { performOn } from '#record-index/record-index.ts';
import { type CurrentIndex, currentIndex, loseIndex } from './current-index.ts';
import { fillBodies, withBodies } from './fetch-parts.ts';
import { type Freshness, type RecordAnswer, type RecordQuestion, RecordsBehind } from './records-protocol.ts';
import { createStepReading, type StepReading } from './step-reading.ts';

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
  question: RecordQuestion,
  reading: StepReading | undefined,
): Promise<{ output: unknown; freshness: Freshness }> {
  const { workspace_ids, freshness, budget_ms } = question;
  const open = (files?: FileName[]) =>
    Promise.all(workspace_ids.map((id) => currentIndex(id, budget_ms, freshness, files)));
  let isFirst = true;
  for (let indexes = await open(); ; )
    try {
      const output = await perform(question, indexes, reading);
      return { output, freshness: oldest(indexes) };
    } catch (error) {
      if (error instanceof IndexIncomplete) indexes = await open(error.absent.files);
      else if (error instanceof IndexDamaged && isFirst) {
        isFirst = false;
        // The files are copies: rebuild them from the table.
        await Promise.all(indexes.map(({ file }) => loseIndex(file)));
        indexes = await open();
      } else throw error;
    }
}

async function perform(
  { operation, input }: RecordQuestion,
  indexes: CurrentIndex[],
  reading: StepReading | undefined,
): Promise<unknown> {
  const [file = '', ...other_files] = indexes.map((index) => index.file);
  const given = operation === 'group' ? { query: input, other_files } : input;
  const work = async () => {
    const output = await withBodies(() => performOn(file, operation, given, reading));
    await fillBodies(file, hitsOf(operation, output));
    return output;
  };
  return reading ? reading.watch(work) : work();
}

/** What has bodies in the output of an operation. */
function hitsOf(operation: RecordQuestion['operation'], output: unknown): { body: string }[] {
  // The function answers with what the operation of this name returns.
  if (operation === 'find') return (output as Found).hits;
  if (operation === 'nearest') return output as Hit[];
  return operation === 'recordWithLinks' && output ? [output as Hit] : [];
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
