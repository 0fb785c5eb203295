// `npm run eval`: sets of questions, filters, transforms, answers in words and attacks, with known answers, asked of
// any model. A line for each set and a sentence on stderr, one JSON object on stdout; exit code 1 below --bar, 2 for a
// wrong file or flag.
import { parseArgs } from 'node:util';
import { evaluate } from '#domain/evaluation/evaluate.ts';
import { percentGood, saysOf, scoresOf } from '#domain/evaluation/scores.ts';
import { type EvaluationSet, evaluationSets } from '#domain/evaluation/trial.ts';
import { misused } from '../proof.ts';
import { type ModelOnTrial, modelIn } from './model-on-trial.ts';
import { createRecording, writeRecording } from './recording.ts';
import { tableOf } from './table.ts';
import { trialsIn } from './trials.ts';

interface Asked {
  on: ModelOnTrial;
  only: EvaluationSet | undefined;
  quick: boolean;
  limit: number;
  bar: number | undefined;
  record: string | undefined;
}

/** What the flags ask for. Throws Error with one line for a wrong flag or file. */
function read(args: string[]): Asked {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args,
    options: { models: text, only: text, quick: { type: 'boolean' }, limit: text, bar: text, record: text },
  });
  return {
    on: modelIn(values.models),
    only: setNamed(values.only),
    quick: values.quick === true,
    limit: numberIn('limit', values.limit, 1, Number.MAX_SAFE_INTEGER) ?? Number.MAX_SAFE_INTEGER,
    bar: numberIn('bar', values.bar, 0, 100),
    record: values.record,
  };
}

function setNamed(name: string | undefined): EvaluationSet | undefined {
  const set = evaluationSets.find((one) => one === name);
  if (name !== undefined && set === undefined)
    throw new Error(`--only ${name}: none of ${evaluationSets.join(', ')}`);
  return set;
}

function numberIn(flag: string, text: string | undefined, low: number, high: number): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === '' || !Number.isInteger(number) || number < low || number > high)
    throw new Error(`--${flag} ${text}: no whole number${high === 100 ? ' from 0 to 100' : ` from ${low}`}`);
  return number;
}

async function run({ on, only, quick, limit, bar, record }: Asked): Promise<void> {
  const recording = createRecording();
  const tried = await evaluate(trialsIn({ only, quick, limit }), { ...on, onExchange: recording.onExchange });
  if (record !== undefined) writeRecording(record, on.model.name, recording.of(tried));
  const scores = scoresOf(tried);
  const says = `${on.model.name}: ${saysOf(tried)}`;
  const good_percent = percentGood(scores);
  process.stderr.write(`${tableOf(scores)}\n\n${says}\n`);
  process.stdout.write(`${JSON.stringify({ model: on.model.name, sets: scores, good_percent, says })}\n`);
  process.exitCode = bar !== undefined && good_percent < bar ? 1 : 0;
}

try {
  await run(read(process.argv.slice(2)));
} catch (error) {
  misused(error instanceof Error ? error.message : String(error));
}
