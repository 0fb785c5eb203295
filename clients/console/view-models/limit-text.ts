// Describes the limit that refused a request.
import { durationText } from '../../duration-text.ts';
import { valueAt } from './draft.ts';
import { moneyText, timeText } from './figures.ts';

interface Refusal {
  details: unknown;
  retryAfterMs: number | undefined;
}

/** The limit and when it resets, in a sentence; undefined for an error that is not about a limit. */
export function limitText({ details, retryAfterMs }: Refusal, now: number): string | undefined {
  const number = (name: string) => {
    const value = valueAt(details, name);
    return typeof value === 'number' ? value : undefined;
  };
  const resets = number('resets_at');
  const [spent, limitUsd] = [number('spent_usd'), number('limit_usd')];
  const [inFlight, limit] = [number('in_flight'), number('limit')];
  const [required, available] = [number('required'), number('available')];
  const sentences = [
    spent !== undefined &&
      limitUsd !== undefined &&
      `${moneyText(spent)} of ${moneyText(limitUsd)} are spent.`,
    inFlight !== undefined && limit !== undefined && `${inFlight} of ${limit} runs are in flight.`,
    required !== undefined &&
      available !== undefined &&
      `${required} credits are needed, ${available} are left.`,
    resets !== undefined &&
      `The limit is reset on ${timeText(resets)}, in ${durationText(Math.max(0, resets - now))}.`,
    // Credits do not come back by waiting a moment.
    resets === undefined &&
      required === undefined &&
      retryAfterMs !== undefined &&
      `Try again in ${durationText(retryAfterMs)}.`,
  ];
  return sentences.filter((sentence) => sentence !== false).join(' ') || undefined;
}
