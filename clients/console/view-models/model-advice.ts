// What to do about a failed call of a model, by its cause, and what the provider said of it.
import { valueAt } from './draft.ts';

export interface ModelAdvice {
  /** The words of the provider. */
  said?: string;
  remedy?: string;
}

/** What to do by cause, and what then makes a run go on; without it, a new run is needed. */
const remedies: Readonly<Record<string, { text: string; goesOn?: string } | undefined>> = {
  away: {
    text: 'try again once the provider answers again.',
    goesOn: 'press Resume once the provider answers again; finished steps are not repeated.',
  },
  refused: {
    text: 'an operator must set right the name, key, address or account of the model.',
    goesOn: 'an operator must set right the name, key, address or account of the model; then press Resume.',
  },
  cut_off: {
    text: 'ask for less text, or for fewer items, in a new run; an operator may raise max_output_tokens of the model.',
  },
  filtered: { text: 'change the words of the request, or the records that it reads, in a new run.' },
  unusable: {
    text: 'try again; if it stays so, an operator should choose another model.',
    goesOn: 'press Resume to ask again; if it stays so, an operator should choose another model.',
  },
};

/** The advice on an error with these details; nothing for an error of anything else. */
export function modelAdvice(details: unknown, resumable: boolean): ModelAdvice {
  const cause = valueAt(details, 'cause');
  const remedy = typeof cause === 'string' ? remedies[cause] : undefined;
  if (!remedy) return {};
  const message = valueAt(details, 'provider.message');
  const status = valueAt(details, 'provider.status_code');
  return {
    remedy: (resumable && remedy.goesOn) || remedy.text,
    ...(typeof message === 'string' && {
      said: `The provider${typeof status === 'number' ? ` (HTTP ${status})` : ''}: ${message}`,
    }),
  };
}
