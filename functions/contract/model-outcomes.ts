// What becomes of a request to a model: in kept calls and in metrics.

/** `repaired`: an answer that a complaint about the one before brought. All but the first two are failures. */
export const callOutcomes = [
  'answered',
  'repaired',
  'away',
  'refused',
  'cut_off',
  'filtered',
  'unusable',
] as const;
export type CallOutcomeName = (typeof callOutcomes)[number];
