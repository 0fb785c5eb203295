// Work that must not be lost to the trouble of a service.
import { jitter, pause } from './pause.ts';
import { isServiceTrouble } from './service-trouble.ts';

const TRIES = 5;
const FIRST_DELAY_MS = 20;

/**
 * Repeats idempotent work while a service is in trouble, a few times more than the SDK does. Throws what the last try
 * threw, and every other error at once.
 */
export async function throughTrouble<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isServiceTrouble(error) || tries === TRIES) throw error;
      await pause(jitter(FIRST_DELAY_MS * 2 ** tries));
    }
  }
}
