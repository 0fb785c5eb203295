// Work that must not be lost to the trouble of a service.
import { jitter, pause } from './pause.ts';
import { isServiceTrouble } from './service-trouble.ts';

const TRIES = 5;
const FIRST_DELAY_MS = 20;
const LONGEST_DELAY_MS = 2000;

/**
 * Repeats idempotent work while a service is in trouble: a few times more than the SDK does, or as long as `until`
 * (epoch ms) is not over. Throws what the last try threw, and every other error at once.
 */
export async function throughTrouble<T>(work: () => Promise<T>, until?: number): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const isLast = until === undefined ? tries === TRIES : Date.now() >= until;
      if (!isServiceTrouble(error) || isLast) throw error;
      await pause(jitter(Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries)));
    }
  }
}
