// Recorded answers of a model: for each trial what its calls were answered, by a digest of the prompt, and how the
// trial ended. `npm test` replays them, so that a change of a prompt or of the judging shows what it changes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { callOutcomes } from '#contract/model-outcomes.ts';
import type { Tried } from '#domain/evaluation/evaluate.ts';
import type { Trial } from '#domain/evaluation/trial.ts';
import type { Exchange } from '#models/model.ts';
import type { TaskKind } from '#models/tasks/task-registry.ts';
import { sha256Hex } from '#platform/crypto.ts';

const Count = z.number().int();
const RecordedTrial = z.object({
  set: z.string(),
  trial: z.string(),
  /** null: a call had no usable answer. */
  tally: z.object({ right: Count, honest: Count, wrong: Count }).nullable(),
  /** Every request, repairs too. */
  calls: z.array(
    z.object({
      task: z.string(),
      /** Of the messages; another digest is another prompt. */
      prompt: z.string(),
      answer: z.string().nullable(),
      outcome: z.enum(callOutcomes),
    }),
  ),
});
export type RecordedTrial = z.infer<typeof RecordedTrial>;

interface Recording {
  onExchange(trial: Trial, task: TaskKind, exchange: Exchange): void;
  /** What was recorded of these trials. */
  of(tried: readonly Tried[]): RecordedTrial[];
}

const DIGEST_CHARACTERS = 16;

/** Records the answers of an evaluation. */
export function createRecording(): Recording {
  const calls = new Map<Trial, RecordedTrial['calls']>();
  return {
    onExchange(trial, task, { messages, answer, outcome }) {
      const prompt = sha256Hex(JSON.stringify(messages)).slice(0, DIGEST_CHARACTERS);
      calls.set(trial, [...(calls.get(trial) ?? []), { task, prompt, answer, outcome }]);
    },
    of: (tried) =>
      tried.map(({ trial, tally }) => ({
        ...{ set: trial.set, trial: trial.name },
        tally: tally ? { right: tally.right, honest: tally.honest, wrong: tally.wrong } : null,
        calls: calls.get(trial) ?? [],
      })),
  };
}

/** Writes a line for each trial to the file of the model in the folder. */
export function writeRecording(folder: string, model: string, trials: readonly RecordedTrial[]): void {
  mkdirSync(folder, { recursive: true });
  const lines = trials.map((trial) => `${JSON.stringify(trial)}\n`);
  writeFileSync(join(folder, `${model.replace(/[^\w.-]+/g, '-')}.jsonl`), lines.join(''));
}
/** The trials of a file. */
export function readRecording(path: string): RecordedTrial[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => RecordedTrial.parse(JSON.parse(line)));
}
