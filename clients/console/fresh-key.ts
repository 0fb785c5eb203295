// Idempotency keys, made without `crypto.randomUUID`, which browsers lack on plain http beyond loopback.

/** A unique key. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
