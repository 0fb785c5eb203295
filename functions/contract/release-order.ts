// The order of releases, by their versions.

const VERSION = /^(\d+)\.(\d+)\.(\d+)/;

/** Whether a text is the version of a release. */
export const isRelease = (text: string): boolean => VERSION.test(text);

/** Whether a release is later than another. */
export function isNewer(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  const index = a.findIndex((number, i) => number !== b[i]);
  return index >= 0 && Number(a[index]) > Number(b[index]);
}

const numbersOf = (version: string) => (VERSION.exec(version) ?? []).slice(1).map(Number);
