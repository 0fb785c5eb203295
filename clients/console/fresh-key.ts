// Idempotency keys, made without `crypto.randomUUID`, which browsers lack on plain http beyond loopback.
import { useRef } from 'preact/hooks';

/** A unique key. */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The key of a request: the same one as long as the form sends the same, so that a lost reply repeats nothing. */
export function useKeyOf(): (request: unknown) => string {
  const last = useRef({ text: '', key: '' });
  return (request) => {
    const text = JSON.stringify(request);
    if (text !== last.current.text) last.current = { text, key: freshKey() };
    return last.current.key;
  };
}
