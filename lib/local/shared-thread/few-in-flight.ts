// Replaces functions/domain/commands/few-in-flight.ts: in one file transactions take turns and never conflict.
import { slotsInCounters } from '#store/money/claim-slot.ts';

/** As many as the counters store. */
export const FEW_IN_FLIGHT = slotsInCounters.max;
