// Lists of a run that grow from commit to commit.

/**
 * The list with more at its end, at most `maximum` in all. The same list if nothing is added, so that its report is not
 * packed again.
 */
export function appended<T>(list: T[], more: readonly T[], maximum = Number.POSITIVE_INFINITY): T[] {
  const room = maximum - list.length;
  return more.length === 0 || room <= 0 ? list : [...list, ...more.slice(0, room)];
}
