// What a model is asked for. `reconstitute` is the answer of a run, in words and as data.

export const modelTasks = [
  'understand',
  'plan',
  'filter',
  'transform',
  'analyze',
  'discover',
  'reconstitute',
  'dossier',
] as const;
export type ModelTask = (typeof modelTasks)[number];
