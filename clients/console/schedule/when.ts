// When a monitor runs, as its form has it.
import type { CreateMonitor } from '../../sdk/index.ts';
import { cronText } from '../view-models/cron-text.ts';

/** What is chosen: one of the patterns below, another one, or changes of records. */
export interface When {
  choice: string;
  /** The pattern that is written or was chosen last. */
  cron: string;
  timezone: string;
  /** The types of the records. */
  types: readonly string[];
}

export const OTHER = 'other';
export const ON_CHANGE = 'change';

const WEEKDAYS = '0 7 * * 1-5';
const presets = ['0 * * * *', '0 7 * * *', WEEKDAYS, '0 7 * * 1'];

/** Each choice with its words. */
export const choices: readonly (readonly [choice: string, text: string])[] = [
  ...presets.map((cron) => [cron, sentence(cronText(cron))] as const),
  [OTHER, 'Another pattern'],
  [ON_CHANGE, 'When records change'],
];

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Every working day at seven, where the user is. */
export const firstWhen = (): When => ({
  choice: WEEKDAYS,
  cron: WEEKDAYS,
  timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  types: [],
});

/** The same with another choice; a pattern stays, to be changed. */
export const withChoice = (when: When, choice: string): When => ({
  ...when,
  choice,
  ...(choice !== OTHER && choice !== ON_CHANGE && { cron: choice }),
});

/** The trigger of the monitor. */
export function triggerOf({ choice, cron, timezone, types }: When): CreateMonitor['on'] {
  return choice === ON_CHANGE ? { change: { types: [...types] } } : { cron: cron.trim(), timezone };
}
