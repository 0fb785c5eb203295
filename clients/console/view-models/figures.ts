// Formats times, money and counts.

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

/** `now`, `12 s ago`, `5 min ago`, `3 h ago`; after a day the date as `21 Nov, 14:05`, in the local time zone. */
export function agoText(ms: number, now: number): string {
  const seconds = Math.round((now - ms) / 1000);
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(ms).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  });
}

/** A moment in full, in the local time zone: `21 Nov 2026, 14:05:09`. */
export function timeText(ms: number): string {
  return new Date(ms).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
