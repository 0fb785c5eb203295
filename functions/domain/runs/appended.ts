// Lists of a run that grow from commit to commit.

/** The list with more at its end, at most `maximum` in all; the same list when nothing is added, so that its report need not be packed again. */
export function appended<T>(list: T[], more: readonly T[], maximum = Number.POSITIVE_INFINITY): T[] {
  const room = maximum - list.length;
  return more.length === 0 || room <= 0 ? list : [...list, ...more.slice(0, room)];
}
