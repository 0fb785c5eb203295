// Turns of the event loop, by which a test tells whether long work leaves the loop to others, however fast the machine is.
import { setImmediate } from 'node:timers';

/** How many turns the event loop has made until the work was done, which may ask for their number meanwhile. */
export async function turnsDuring(work: (turns: () => number) => Promise<unknown>): Promise<number> {
  let turns = 0;
  let over = false;
  const count = () => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work(() => turns);
  over = true;
  return turns;
}
