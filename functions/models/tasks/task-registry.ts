// The registry of model tasks.
import type { ModelTask } from '#contract/model-tasks.ts';
import { analyze } from './analyze-task.ts';
import { discover } from './discover-task.ts';
import { dossierSection } from './dossier-section-task.ts';
import { filter } from './filter-task.ts';
import type { Task } from './model-task.ts';
import { plan } from './plan-task.ts';
import { reconstituteData } from './reconstitute-data-task.ts';
import { reconstitute } from './reconstitute-task.ts';
import { transform } from './transform-task.ts';
import { understand } from './understand-task.ts';

const registry = {
  understand,
  plan,
  filter,
  transform,
  analyze,
  discover,
  reconstitute,
  reconstitute_data: reconstituteData,
  dossier_section: dossierSection,
} as const;

type Registry = typeof registry;
export type TaskKind = keyof Registry;
export type InputOf<K extends TaskKind> = Parameters<Registry[K]['judge']>[1];
export type OutputOf<K extends TaskKind> = Extract<
  Awaited<ReturnType<Registry[K]['judge']>>,
  { ok: true }
>['output'];

/** Every task; each model implements all of them. */
export const tasks: { readonly [K in TaskKind]: Task<InputOf<K>, OutputOf<K>> } = registry;

/** The tasks as clients and operators know them. */
export const taskNames: Readonly<Record<TaskKind, ModelTask>> = {
  understand: 'understand',
  plan: 'plan',
  filter: 'filter',
  transform: 'transform',
  analyze: 'analyze',
  discover: 'discover',
  reconstitute: 'reconstitute',
  reconstitute_data: 'reconstitute',
  dossier_section: 'dossier',
};
