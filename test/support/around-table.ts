// Wraps each call of the store to its table in test code.
import { table } from '#store/table/table.ts';

interface TableCall {
  /** Name of the command, such as `GetCommand`. */
  name: string;
  input: object;
}

/** Passes each call to `around`, which may perform it; returns a function that stops this. */
export function aroundTable(
  around: (call: TableCall, carryOut: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  const { send } = table;
  const replace = (value: (...args: Parameters<typeof send>) => unknown) =>
    Object.defineProperty(table, 'send', { configurable: true, writable: true, value });
  replace((...args) =>
    around({ name: args[0].constructor.name, input: args[0].input }, async () => send.apply(table, args)),
  );
  return () => void replace(send);
}
