// `npm run prove -- model [--only Run]`: searches the models of runs, money, deliveries and jobs completely within
// their bounds; then takes out each protection, which must break its promise. Prints one JSON object; exit code 1 on a promise
// that breaks or does not break as expected, on a state that is never reached, and when the commits of the model are not
// those of `transitions.json` (`--record` writes them). Needs Java 17 and Maven.
import { parseArgs } from 'node:util';
import { fetchedLibraries, missingProgram, presentLibraries } from '../judge/maven.ts';
import { misused } from '../proof.ts';
import { type Model, models } from './promises.ts';
import { statesToReach } from './sources.ts';
import { ask, tlc } from './tlc.ts';
import { recordedTransitions, recordTransitions, transitionsOf } from './transitions.ts';

const { values } = parseArgs({
  options: { only: { type: 'string' }, record: { type: 'boolean', default: false } },
});

/** Minutes pass without a result. */
const report = (text: string) => void process.stderr.write(`${text}\n`);

async function prove(libraries: string): Promise<void> {
  const begun = performance.now();
  const breaches: string[] = [];
  const found = [];
  for (const model of models.filter(({ name }) => values.only === undefined || name === values.only))
    found.push(await proveModel(libraries, model, breaches));
  const seconds = Math.round((performance.now() - begun) / 1000);
  process.stdout.write(
    `${JSON.stringify({ models: found, seconds, breaches: breaches.length, first_breaches: breaches })}\n`,
  );
  process.exitCode = breaches.length > 0 ? 1 : 0;
}

async function proveModel(libraries: string, model: Model, breaches: string[]) {
  const { name: spec, promises } = model;
  const searches = [];
  const reached = new Set<string>();
  const transitions = new Set<string>();
  for (const { bounds, checks } of model.searches) {
    const checked = promises.filter(
      ({ name, kind }) => (kind === 'in the end') === (checks === 'liveness') && isAbout(bounds, model, name),
    );
    const { violated, committed, ...answer } = await ask(libraries, { spec, bounds, promises: checked });
    report(`${spec} ${checks} ${JSON.stringify(bounds)}: ${answer.distinct} states in ${answer.seconds} s`);
    if (violated) breaches.push(`${spec}: ${violated.name} does not hold, after ${violated.steps} steps`);
    for (const state of answer.reached) reached.add(state);
    for (const one of transitionsOf(committed)) transitions.add(one);
    const { reached: _, ...figures } = answer;
    searches.push({ checks, bounds, ...figures, promises: checked.map(({ name }) => name) });
  }
  const missed = statesToReach(spec).filter((state) => !reached.has(state));
  breaches.push(...missed.map((state) => `${spec}: ${state} is never reached`));
  if (spec === 'Run') compare(transitions, breaches);
  return {
    spec,
    searches,
    refuted: await refute(libraries, model, breaches),
    reached: [...reached].toSorted(),
  };
}

/** Whether a promise is about the part of its model that the bounds choose. */
const isAbout = ({ Part }: Model['searches'][number]['bounds'], { promises, least }: Model, name: string) =>
  Part === undefined ||
  promises.some((one) => one.name === name && (one.without[0]?.bounds ?? least).Part === Part);

async function refute(libraries: string, { name: spec, promises, least }: Model, breaches: string[]) {
  const refuted = [];
  for (const promise of promises)
    for (const { protection, bounds = least } of promise.without) {
      const question = { spec, bounds, promises: [promise], without: protection };
      const { violated, seconds } = await ask(libraries, question);
      report(`${spec} without ${protection}: ${violated?.name ?? 'no promise'} breaks, in ${seconds} s`);
      if (!violated) breaches.push(`${spec}: ${promise.name} holds without ${protection}`);
      const { name, rule, file } = promise;
      refuted.push({ promise: name, rule, file, without: protection, steps: violated?.steps, seconds });
    }
  return refuted;
}

function compare(found: Set<string>, breaches: string[]): void {
  if (values.record) recordTransitions([...found].toSorted());
  const recorded = recordedTransitions();
  const unrecorded = [...found].filter((one) => !recorded.includes(one));
  breaches.push(
    ...unrecorded.map((one) => `Run: commits ${one}, which transitions.json lacks`),
    ...recorded.filter((one) => !found.has(one)).map((one) => `Run: never commits ${one}`),
  );
}

const missing = presentLibraries(tlc) ? missingProgram('java') : missingProgram('java', 'mvn');
if (missing) misused(`the models need Java 17 and Maven: ${missing} does not start`);
else await prove(fetchedLibraries(tlc));
