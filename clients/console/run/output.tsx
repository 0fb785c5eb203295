// The answer as data: a tree. The value under the pointer or with the focus shows what it is based on.
import { type Signal, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { BasisEntry, RunOutput } from '../../sdk/index.ts';
import { EntityName } from '../parts/entity-name.tsx';
import { Value } from '../parts/value.tsx';
import { here } from '../router.ts';
import type { Session } from '../session.ts';
import { basisText, type OutputNode, outputTree } from '../view-models/output-tree.ts';

/** Longer lists are shown in part until they are asked for. */
const SHOWN_MAX = 50;

type Looked = Signal<BasisEntry | undefined>;

export function Output({ session, output }: { session: Session; output: RunOutput }) {
  const looked: Looked = useSignal(undefined);
  const tree = useMemo(() => outputTree(output), [output]);
  return (
    <section aria-labelledby="output">
      <h2 id="output">Data</h2>
      <div class="output">
        <Node node={tree} name="" looked={looked} />
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

interface NodeProps {
  node: OutputNode;
  name: string;
  looked: Looked;
}

function Node({ node, name, looked }: NodeProps) {
  switch (node.kind) {
    case 'leaf':
      return <Leaf node={node} name={name} looked={looked} />;
    case 'list':
      return <List elements={node.elements} name={name} looked={looked} />;
    case 'object':
      return (
        <dl>
          {node.members.map((member) => (
            <div key={member.name}>
              <dt title={member.name}>{member.label}</dt>
              <dd>
                <Node node={member.node} name={member.name} looked={looked} />
              </dd>
            </div>
          ))}
        </dl>
      );
  }
}

function List({ elements, name, looked }: { elements: readonly OutputNode[]; name: string; looked: Looked }) {
  const isWhole = useSignal(elements.length <= SHOWN_MAX);
  if (elements.length === 0) return <span class="quiet">none</span>;
  return (
    <>
      <ol>
        {(isWhole.value ? elements : elements.slice(0, SHOWN_MAX)).map((element, i) => (
          <li key={i}>
            <Node node={element} name={name} looked={looked} />
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

function Leaf({
  node,
  name,
  looked,
}: {
  node: Extract<OutputNode, { kind: 'leaf' }>;
  name: string;
  looked: Looked;
}) {
  const { value, basis } = node;
  if (value === null || !basis) return <span class="quiet">no value</span>;
  const look = () => (looked.value = basis);
  const shown = typeof value === 'number' ? <Value name={name} value={value} /> : String(value);
  const handlers = { onMouseEnter: look, onFocus: look };
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
