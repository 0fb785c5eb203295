// Up to how many runs of a workspace share its counters in the transactions that create and end them.

/** With more runs in flight, transactions would often conflict on the counters or on the sum of the day. */
export const FEW_IN_FLIGHT = 4;
