// Turns of the event loop, which show whether long work yields to others, however fast the machine is.
import { setImmediate } from 'node:timers';

/** The number of event loop turns until the work was done; the work can query it. */
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
