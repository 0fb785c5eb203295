// Deadlines: work that has to settle in time.

/**
 * The result of `work`; rejects with what `late` returns when `ms` milliseconds pass first. The work itself is not
 * stopped.
 */
export async function withinTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, ms));
  });
  return Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
