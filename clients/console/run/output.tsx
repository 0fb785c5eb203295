// The answer as data: a tree. The value under the pointer or with the focus shows what it is based on.
import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { BasisEntry, RunOutput } from '../../sdk/index.ts';
import { EntityName } from '../parts/entity-name.tsx';
import { Value } from '../parts/value.tsx';
import { here } from '../router.ts';
import type { Session } from '../session.ts';
import { isObject } from '../view-models/draft.ts';
import { labelOf } from '../view-models/figures.ts';

/** Longer lists are shown in part until they are asked for. */
const SHOWN_MAX = 50;

export function Output({ session, output: { data, basis } }: { session: Session; output: RunOutput }) {
  const looked = useSignal<BasisEntry | undefined>(undefined);
  const bases = useMemo(() => new Map(basis.map((entry) => [entry.path, entry])), [basis]);
  return (
    <section aria-labelledby="output">
      <h2 id="output">Data</h2>
      <div class="output">
        <Node value={data} path="" name="" bases={bases} looked={looked} />
        <p class="basis" role="status">
          {looked.value ? (
            <Basis session={session} basis={looked.value} />
          ) : (
            <span class="quiet">Point to a value to see where it comes from.</span>
          )}
        </p>
      </div>
    </section>
  );
}

function Basis({ session, basis }: { session: Session; basis: BasisEntry }) {
  return (
    <>
      {basis.entity_id !== undefined && (
        <>
          <EntityName session={session} entity={{ id: basis.entity_id }} />:{' '}
        </>
      )}
      {basisText(basis)}
    </>
  );
}

/** What a value is based on, without the name of its record. */
function basisText({ kind, field, step_index }: BasisEntry): string {
  const step = step_index === undefined ? '' : ` step ${step_index + 1}`;
  switch (kind) {
    case 'record':
      return `field ${field} of the record, as the run read it`;
    case 'group':
      return `${field} of a group of records, from${step}`;
    case 'count':
      return step === '' ? 'counted by the service' : `the number of items of${step}, counted by the service`;
    case 'model':
      return field === undefined ? 'written by a model' : `field ${field}, written by a model in${step}`;
  }
}

interface NodeProps {
  value: unknown;
  /** The JSON pointer to it, as in the basis. */
  path: string;
  name: string;
  bases: ReadonlyMap<string, BasisEntry>;
  looked: Signal<BasisEntry | undefined>;
}

function Node({ value, path, name, ...shared }: NodeProps) {
  if (Array.isArray(value)) return <List elements={value} path={path} name={name} {...shared} />;
  if (!isObject(value)) return <Leaf value={value} path={path} name={name} {...shared} />;
  return (
    <dl>
      {Object.entries(value).map(([key, inner]) => (
        <div key={key}>
          <dt title={key}>{labelOf(key)}</dt>
          <dd>
            <Node
              value={inner}
              path={`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`}
              name={key}
              {...shared}
            />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function List({ elements, path, ...shared }: Omit<NodeProps, 'value'> & { elements: readonly unknown[] }) {
  const isWhole = useSignal(elements.length <= SHOWN_MAX);
  if (elements.length === 0) return <span class="quiet">none</span>;
  return (
    <>
      <ol>
        {(isWhole.value ? elements : elements.slice(0, SHOWN_MAX)).map((element, i) => (
          <li key={i}>
            <Node value={element} path={`${path}/${i}`} {...shared} />
          </li>
        ))}
      </ol>
      {!isWhole.value && (
        <button type="button" onClick={() => (isWhole.value = true)}>
          Show all {elements.length}
        </button>
      )}
    </>
  );
}

function Leaf({ value, path, name, bases, looked }: NodeProps) {
  const basis = bases.get(path);
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  if (!isScalar || !basis) return <span class="quiet">no value</span>;
  const look = () => (looked.value = basis);
  const shown = typeof value === 'number' ? <Value name={name} value={value} /> : String(value);
  // A pointer counts when it moves: content that scrolls under it is entered, too, and would displace the focus.
  const handlers = { onMouseMove: look, onFocus: look };
  if (basis.entity_id !== undefined)
    return (
      <a href={here({ record: `entity=${basis.entity_id}` })} {...handlers}>
        {shown}
      </a>
    );
  return (
    <button type="button" class="plain" {...handlers} onClick={look}>
      {shown}
    </button>
  );
}
