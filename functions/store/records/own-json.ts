// The caller's own JSON as an attribute: unchanged, or as text where the SDK would lose or misread a name in it.
import { walkJson } from '#platform/walk-json.ts';
import type { Item } from '../table/table.ts';

/** The SDK assigns members, which loses the first, and takes an object for what its `constructor` says it is. */
const MISREAD: readonly unknown[] = ['__proto__', 'constructor'];

/** The form in which an object or array is stored. */
export function ownJsonAttribute<T extends object>(own: T): T | string {
  const isMisread = walkJson(own, (_, path) => MISREAD.includes(path.at(-1)) || undefined);
  return isMisread ? JSON.stringify(own) : own;
}

/** The item with this attribute as JSON, in whichever form it is stored. */
export function withOwnJson(item: Item, name: string): Item {
  const stored = item[name];
  return typeof stored === 'string' ? { ...item, [name]: JSON.parse(stored) } : item;
}
