// One step of a plan being edited: title, instructions, params; moved by buttons or Alt and arrow keys.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { announce } from '../announce.ts';
import { paramTexts, type StepKind, stepTable } from '../contract.ts';
import { type DraftStep, stepsOf, withoutStep, withStepMoved } from '../view-models/draft.ts';
import { labelOf } from '../view-models/figures.ts';
import { waitNote } from '../view-models/job-text.ts';
import { mainFields, readsInstructions } from '../view-models/step-fields.ts';
import { TextField } from './field.tsx';
import { useForm, useIssue } from './run-form.ts';
import { SchemaField } from './schema-field.tsx';

interface Props {
  at: number;
  step: DraftStep;
  last: boolean;
}

export function StepCard({ at, step, last }: Props) {
  const form = useForm();
  const path = `plan.steps.${at}`;
  /** What had the focus when the step was moved. */
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    keepFocus(focused.current);
    focused.current = null;
  }, [at]);
  const move = (to: number) => {
    const moved = withStepMoved(form.draft.value, at, to);
    if (moved === form.draft.value) return;
    focused.current = document.activeElement;
    form.draft.value = moved;
    announce(`${step.title || 'The step'} is now step ${to + 1}`);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    move(event.key === 'ArrowUp' ? at - 1 : at + 1);
  };
  const known = typeof step.kind === 'string' && Object.hasOwn(stepTable, step.kind);
  const issue = useIssue(`${path}.kind`);
  return (
    <li>
      <fieldset class="group step-card" onKeyDown={onKeyDown}>
        <legend>
          Step {at + 1}: {labelOf(String(step.kind))}
        </legend>
        <div class="row">
          {known && <span class="hint">{stepTable[step.kind as StepKind].summary}</span>}
          <span class="row">
            <button type="button" disabled={at === 0} onClick={() => move(at - 1)}>
              Move up
            </button>
            <button type="button" disabled={last} onClick={() => move(at + 1)}>
              Move down
            </button>
            <button
              type="button"
              class="danger"
              onClick={() => (form.draft.value = withoutStep(form.draft.value, at))}
            >
              Remove <span class="unseen">the step</span>
            </button>
          </span>
        </div>
        {known ? <Members kind={step.kind as StepKind} path={path} /> : <p>No such kind of step.</p>}
        {issue && <p class="refused">{issue.message}</p>}
      </fieldset>
    </li>
  );
}

/** The focus follows the moved step; from a button that became disabled it moves to the next one. */
function keepFocus(before: Element | null): void {
  if (!(before instanceof HTMLElement)) return;
  const target = before.matches(':disabled')
    ? before.parentElement?.querySelector<HTMLElement>('button:enabled')
    : before;
  target?.focus();
}

function Members({ kind, path }: { kind: StepKind; path: string }) {
  const form = useForm();
  const { instructions, params } = stepTable[kind];
  const isNeeded = !instructions.safeParse(undefined).success;
  const issue = useIssue(`${path}.params`, { isWhole: true });
  const main: readonly string[] = mainFields[kind];
  const rare = Object.keys(params.shape).filter((name) => !main.includes(name));
  const isUsed = rare.some((name) => {
    const param = `${path}.params.${name}`;
    return form.at(param) !== undefined || form.issueAt(param) !== undefined;
  });
  // Once open it stays so: it must not close around the field that is being emptied.
  const wasUsed = useRef(false);
  wasUsed.current ||= isUsed;
  const waits = waitNote(form.liveSourceOf(path));
  const fields = (isShown: (name: string) => boolean) => (
    <div class="params">
      {Object.entries(params.shape)
        .filter(([name]) => isShown(name))
        .map(([name, schema]) => (
          <SchemaField
            key={name}
            path={`${path}.params.${name}`}
            label={labelOf(name)}
            hint={meaningOf(kind, name)}
            schema={schema}
          />
        ))}
    </div>
  );
  return (
    <>
      <TextField path={`${path}.title`} label="Title" />
      {(readsInstructions.has(kind) || form.at(`${path}.instructions`) !== undefined) && (
        <TextField
          path={`${path}.instructions`}
          label={isNeeded ? 'Instructions' : 'Instructions (optional)'}
          rows={2}
        />
      )}
      {issue && <p class="refused">{issue.message}</p>}
      {fields((name) => main.includes(name))}
      {waits && <p class="hint">{waits}</p>}
      {rare.length > 0 && (
        <details open={wasUsed.current}>
          <summary>More params</summary>
          {fields((name) => !main.includes(name))}
        </details>
      )}
    </>
  );
}

/** The meaning of a param, and its default. */
function meaningOf(kind: StepKind, name: string): string {
  const texts: Readonly<Record<string, string | { description: string; default: unknown }>> =
    paramTexts[kind];
  const text = texts[name] ?? '';
  const meaning =
    typeof text === 'string'
      ? text
      : `${text.description} Default: ${text.default === '' ? 'empty' : text.default}.`;
  return meaning.replaceAll('`', '');
}

/** One button per step kind. */
export function AddStep({ onAdd }: { onAdd: (kind: StepKind) => void }) {
  const kinds = Object.keys(stepTable) as StepKind[];
  const steps = stepsOf(useForm().draft.value);
  return (
    <fieldset class="group">
      <legend>{steps.length === 0 ? 'Add the first step' : 'Add a step'}</legend>
      <ul class="cards">
        {kinds.map((kind) => (
          <li key={kind}>
            <button type="button" onClick={() => onAdd(kind)}>
              <strong>{labelOf(kind)}</strong>
              <span class="hint">{stepTable[kind].summary}</span>
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
