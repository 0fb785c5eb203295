// Durations as the terminal and the console show them.

/** `28 ms`, `1.2 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return joined(minutes, 'min', seconds % 60, 's');
  return joined(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const joined = (large: number, unit: string, small: number, smallUnit: string) =>
  `${large} ${unit}${small > 0 ? ` ${small} ${smallUnit}` : ''}`;
