// The commits of the model of runs, in the words of the relation that the code checks its histories by.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { EventType } from '#contract/events.ts';
import { RunStatus } from '#contract/runs.ts';
import { type Phase, phaseOf } from '#domain/runs/legal-transitions.ts';
import type { Committed } from './tlc.ts';

const FILE = join(import.meta.dirname, 'transitions.json');

const Phases = z.enum(['none', ...RunStatus.options, 'canceling', 'deleted']) satisfies z.ZodType<Phase>;
const Events = z.array(EventType);

/** What a text such as `pending > running: run.started, step.started` says. Throws for a phase or an event that does not exist. */
export function parsed(text: string): { before: Phase; after: Phase; events: EventType[] } {
  const [, before, after, events = ''] = /^(\w+) > (\w+): (.*)$/.exec(text) ?? [];
  return {
    before: Phases.parse(before),
    after: Phases.parse(after),
    events: Events.parse(events === '' ? [] : events.split(', ')),
  };
}

/** The recorded commits. */
export const recordedTransitions = (): string[] =>
  z.array(z.string()).parse(JSON.parse(readFileSync(FILE, 'utf8')));

/** Records the commits that the model makes. */
export const recordTransitions = (texts: string[]): void =>
  writeFileSync(FILE, `${JSON.stringify(texts, null, 2)}\n`);

/** What the checker printed, as texts. */
export const transitionsOf = (committed: Committed[]): string[] =>
  committed.map(
    ([before, wasFinished, after, isFinished, events]) =>
      `${phase(before, wasFinished)} > ${phase(after, isFinished)}: ${events.join(', ')}`,
  );

const phase = (status: string, log_finished: boolean): Phase =>
  status === 'none' || status === 'deleted'
    ? status
    : phaseOf({ status: RunStatus.parse(status), log_finished });
