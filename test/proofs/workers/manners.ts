// What a worker can do with a job that it is sent, in every campaign with workers.

/** What one worker can do with one job; each message has items, words and usage that no other has. */
export interface Acts {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  sleep(ms: number): Promise<void>;
  complete(): Promise<void>;
  fail(retry: boolean): Promise<void>;
  page(page: number): Promise<void>;
  progress(): Promise<void>;
  /** Sends what no job takes. */
  lie(): Promise<void>;
}

/** Each way to work, by what it is. */
export const manners: Readonly<Record<string, (acts: Acts) => Promise<unknown>>> = {
  'completes it': ({ complete }) => complete(),
  'sends pages in any order': async ({ page, complete, below }) => {
    for (let i = 0; i < 3; i += 1) await page(below(3));
    await complete();
  },
  'sends all at once': ({ page, progress, complete }) =>
    Promise.all([page(1), page(0), page(1), progress(), complete()]),
  'completes it twice': ({ complete }) => Promise.all([complete(), complete()]),
  'completes it again later': async ({ complete, sleep }) => {
    await complete();
    await sleep(5000);
    await complete();
  },
  'completes and fails it': ({ complete, fail, below }) => Promise.all([complete(), fail(below(2) === 0)]),
  'fails it': ({ fail }) => fail(false),
  'asks for another attempt': ({ fail }) => fail(true),
  'asks for another attempt and is late': async ({ fail, sleep, complete }) => {
    await fail(true);
    await sleep(3000);
    await complete();
  },
  'works for long': async ({ progress, page, complete, sleep, below }) => {
    for (let i = 0; i < 6; i += 1) {
      await sleep(below(16_000));
      await (below(3) === 0 ? page(i) : progress());
    }
    await complete();
  },
  'is late': async ({ sleep, complete, below }) => {
    await sleep(10_000 + below(150_000));
    await complete();
  },
  'lies, then completes it': async ({ lie, complete }) => {
    await lie();
    await complete();
  },
  'dies at once': async () => undefined,
  'dies at work': ({ page, progress }) => Promise.all([page(0), progress()]),
};
