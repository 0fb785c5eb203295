// Formats times, money, counts and names.
import type { ArtifactSummary } from '../../sdk/index.ts';

/** `$0`, `$0.0012`, `$0.35`, `$1,204.50`: two significant digits, or cents from a cent on. */
export function moneyText(usd: number): string {
  if (usd === 0) return '$0';
  if (usd < 0.01) return `$${usd.toFixed(Math.min(9, 1 - Math.floor(Math.log10(usd)))).replace(/0+$/, '')}`;
  return `$${usd.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
}

/** `1 item`, `24 items`, `10,000 items`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;
}

/** `now`, `12 s ago`, `5 min ago`, `3 h ago`; after a day the date and time, in the reader's zone and language. */
export function agoText(ms: number, now: number): string {
  const seconds = Math.round((now - ms) / 1000);
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(ms).toLocaleString([], {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** A moment in full, in the reader's zone and language: `Nov 21, 2026, 2:05:09 PM`. */
export function timeText(ms: number): string {
  return new Date(ms).toLocaleString([], { dateStyle: 'medium', timeStyle: 'medium' });
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:?\d{2})?)?$/;

/** A date as data write it (`2026-11-21`, with or without a time), in the reader's language; undefined for others. */
export function dateText(iso: string): string | undefined {
  if (!ISO_DATE.test(iso)) return undefined;
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return undefined;
  return iso.includes('T')
    ? date.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })
    : date.toLocaleDateString([], { dateStyle: 'medium', timeZone: 'UTC' });
}

/** A currency at the end of a name, and whether it counts millions. */
const CURRENCY = /^(.*[^_.])[_.](m?)(usd|eur|gbp|chf)$/;

/**
 * A wire name as a label: `steps_to_filter` is `Steps to filter`, `address.city` is `Address city`, `revenue_musd` is
 * `Revenue (million USD)`.
 */
export function labelOf(name: string): string {
  const [, amount = name, millions, currency] = CURRENCY.exec(name) ?? [];
  const words = amount.replace(/[_.]+/g, ' ').trim() || name;
  const unit = currency ? ` (${millions ? 'million ' : ''}${currency.toUpperCase()})` : '';
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${unit}`;
}

/** The kind of an artifact. */
export const kindText = (kind: ArtifactSummary['kind']): string =>
  kind === 'entity_card' ? 'record card' : kind;
