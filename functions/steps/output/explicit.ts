// The value that the answer names for one place of the data.
import type { BasisEntry } from '#contract/output.ts';
import type { OutputSchema } from '#contract/output-schema.ts';
import { absent, type Built, type Missing, valueOrMissing, whole } from './built.ts';
import { type OutputIssue, scalarFault } from './conform.ts';
import { type Context, fieldNamed, namedAs, type Scope } from './read-field.ts';
import type { Reading } from './read-references.ts';

/** What the data are made of; `issues` collects what is wrong with the answer. */
export interface Filling {
  reading: Reading;
  hand: Context;
  issues: OutputIssue[];
}

/** A place of the data. */
export interface Spot {
  schema: OutputSchema;
  /** As references name it. */
  at: string;
  /** The same with `*` for each index. */
  pattern: string;
  /** The property that the place is, or is in. */
  name: string;
  scope: Scope | undefined;
}

/** What the answer says of this very place, or of its column. */
export function explicitAt(filling: Filling, spot: Spot): Built | Missing | undefined {
  const { reading, hand } = filling;
  const { schema, at, pattern, name, scope } = spot;
  const value = reading.values.get(at);
  if (!value) {
    const column = reading.columns.get(pattern);
    return scope && column !== undefined ? valueOrMissing(schema, fieldNamed(scope.from, column)) : undefined;
  }
  switch (value.from) {
    case 'item': {
      const from = value.item === null ? scope?.from : hand.items[value.item];
      if (!from) return issue(filling, at, 'refers to an item, but to none that exists');
      const named = value.field === null ? namedAs({ from }, name) : fieldNamed(from, value.field);
      return valueOrMissing(schema, named);
    }
    case 'count': {
      const { step_index } = value;
      const count = step_index === null ? 0 : hand.steps.get(step_index)?.length;
      if (count === undefined) return issue(filling, at, `counts step ${step_index}, which yields no items`);
      const step = step_index === null ? {} : { step_index };
      return written(filling, spot, count, { kind: 'count', ...step });
    }
    case 'message':
      return written(filling, spot, hand.message, { kind: 'model' });
    case 'text':
      return written(filling, spot, value.text ?? '', { kind: 'model' });
  }
}

function written(
  filling: Filling,
  { schema, at }: Spot,
  json: string | number,
  basis: Omit<BasisEntry, 'path'>,
): Built | Missing {
  const fault = scalarFault(schema, json);
  if (fault !== undefined) return issue(filling, at, fault);
  return whole({ json, basis: [{ path: '', ...basis }] });
}

function issue({ issues }: Filling, path: string, message: string): Missing {
  issues.push({ path, message });
  return absent();
}
