// What happens to the service of a campaign while its clients work.
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { ServiceProcess } from './service-process.ts';

export interface Nemesis {
  /** A fault of its kind; returns what it was when it is over. */
  strike(service: ServiceProcess, chance: Random, count: number): Promise<string>;
  /** What the service loads first, so that the fault can come from inside. */
  preload?: string;
}

const victims = ['service', 'thread', 'threads'] as const;

/** The service, one thread of a function, all of them, in turn; a service that was killed starts again on its data. */
const kill: Nemesis = {
  async strike(service, _chance, count) {
    const victim = victims[count % victims.length] ?? 'service';
    if (victim === 'service') {
      await service.kill();
      await service.start();
    } else service.order({ kill: victim });
    return victim;
  },
};

const MINUTE_MS = 60_000;
const JUMP_MINUTES = 10;
/** So long at most a jump or a partition lasts. */
const LASTS_MS = 2_000;

/** The clock of the whole machine jumps by minutes, forward or back, and is set right again later. */
const clock: Nemesis = {
  async strike(service, chance) {
    const minutes = 1 + chance.below(JUMP_MINUTES);
    const isForward = chance.chance(0.5);
    service.order({ clock_ahead_ms: (isForward ? minutes : -minutes) * MINUTE_MS });
    await wait(chance.below(LASTS_MS));
    service.order({ clock_ahead_ms: 0 });
    return isForward ? 'forward' : 'back';
  },
};

/** Half of the calls of the functions to their table get no answer, and half of these have taken effect. */
const partition: Nemesis = {
  preload: './test/proofs/living/partitioned-service.ts',
  async strike(service, chance) {
    service.order({ lost_share: 0.5 });
    await wait(chance.below(LASTS_MS));
    service.order({ lost_share: 0 });
    return 'partition';
  },
};

/** Nothing happens. */
const calm: Nemesis = { strike: async () => 'nothing' };

export const nemeses = { kill, clock, partition, calm };
