// Turns of the event loop, by which a test tells whether long work leaves the loop to others, however fast the machine is.
import { setImmediate } from 'node:timers';

/** How many turns the event loop has made until the work was done. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}
