// A number per record that mixes id and update time; xor over all of them does not depend on their order.

const MASK = (1n << 128n) - 1n;
/** Odd constants without a pattern, which spread every bit of the other factor. */
const OF_ID = 0x9e3779b97f4a7c15f39cc0605cedc835n;
const OF_TIME = 0xc2b2ae3d27d4eb4f165667b19e3779f9n;

/** `id` is a UUID, `updatedAt` epoch ms. */
export function checksumOf(id: string, updatedAt: number): bigint {
  return (BigInt(`0x${id.replaceAll('-', '')}`) * OF_ID + BigInt(updatedAt) * OF_TIME) & MASK;
}
