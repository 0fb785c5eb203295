// The warning of what no call of a model has seen whole (rules.md: models 14).
import type { Warning } from '#contract/events.ts';
import type { ShortenedInput } from '#store/runs/journal.ts';

type ShortWarning = Omit<Warning, 'step_index'>;

/** Of `of` items, something of `items` was left out. */
export function shortenedItems(items: number, of: number): ShortWarning {
  return {
    code: 'input_shortened',
    message: `Of ${of} items, ${items} were too long for the model: it has read their beginnings.`,
    details: { items, of },
  };
}

/** One warning of all that was cut for a provider's refusals, one if a provider has cut a prompt itself. */
export function shortenedWarnings(shortened: ShortenedInput[]): ShortWarning[] {
  const cut = shortened.flatMap((one) => ('items' in one ? [one] : []));
  const [items, of] = [
    cut.reduce((sum, one) => sum + one.items, 0),
    cut.reduce((sum, one) => sum + one.of, 0),
  ];
  return [
    ...(items > 0 ? [shortenedItems(items, of)] : []),
    ...(cut.length < shortened.length ? [cutByProvider] : []),
  ];
}

const cutByProvider: ShortWarning = {
  code: 'input_shortened',
  message:
    'The model counted far fewer tokens than were sent: its server has cut the prompt. Its context is too small.',
  details: { by: 'provider' },
};
