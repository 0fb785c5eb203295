// The fields of each kind of run: a query, a plan, a dossier, or the request as JSON.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EntityRef } from '../../sdk/index.ts';
import type { StepKind } from '../contract.ts';
import { EntityName } from '../parts/entity-name.tsx';
import { draftOf, stepsOf, withStep } from '../view-models/draft.ts';
import { labelOf } from '../view-models/figures.ts';
import { plansOf, queryOf } from '../view-models/plan-examples.ts';
import { lineList, numberText } from '../view-models/typed-text.ts';
import { EntityPicker } from './entity-picker.tsx';
import { Field, TextField } from './field.tsx';
import { useForm, useIssue } from './run-form.ts';
import { AddStep, StepCard } from './step-card.tsx';

export function QueryFields() {
  const [type] = useForm().types.value;
  const example = type ? `, such as “${queryOf(type)}”` : '';
  return (
    <TextField
      path="query"
      label="Question"
      rows={4}
      hint={`In plain words${example}. The service plans the steps and shows how it read the question.`}
    />
  );
}

export function PlanFields() {
  const form = useForm();
  const list = useRef<HTMLOListElement>(null);
  const added = useRef(false);
  const steps = stepsOf(form.draft.value);
  const issue = useIssue('plan.steps', { isWhole: true });
  const add = (kind: StepKind) => {
    form.draft.value = withStep(form.draft.value, kind, labelOf(kind));
    added.current = true;
  };
  // A new step's title gets the focus, at once: keys that follow are meant for it.
  useLayoutEffect(() => {
    if (added.current) list.current?.querySelector<HTMLElement>(':scope > li:last-child input')?.focus();
    added.current = false;
  }, [steps.length]);
  return (
    <>
      <TextField path="plan.title" label="Title of the plan" />
      {issue && <p class="refused">{issue.message}</p>}
      <ol class="step-cards" ref={list}>
        {steps.map((step, at) => (
          <StepCard key={step.key} at={at} step={step} last={at === steps.length - 1} />
        ))}
      </ol>
      {steps.length === 0 && <PlanExamples />}
      <AddStep onAdd={add} />
    </>
  );
}

/** Plans about the records of the workspace, to be changed. */
function PlanExamples() {
  const form = useForm();
  const [type] = form.types.value;
  if (!type) return null;
  return (
    <fieldset class="group">
      <legend>Start from an example</legend>
      <ul class="cards">
        {plansOf(type).map((example) => (
          <li key={example.plan.title}>
            <button
              type="button"
              onClick={() => (form.draft.value = { ...form.draft.value, ...draftOf(example).draft })}
            >
              <strong>{example.plan.title}</strong>
              <span class="hint">{example.plan.steps.map(({ kind }) => labelOf(kind)).join(' → ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

export function DossierFields() {
  const form = useForm();
  const entity = form.at('params.entity') as EntityRef | undefined;
  const issue = useIssue('params.entity');
  return (
    <>
      {entity && (
        <p>
          About <EntityName session={form.session} entity={entity} />
        </p>
      )}
      <EntityPicker
        path="params.entity"
        label={entity ? 'Another record' : 'Record'}
        onPick={({ entity_id }) => form.set('params.entity', { id: entity_id })}
      />
      {issue && <p class="refused">{issue.message}</p>}
      <TextField
        path="params.sections"
        label="Sections (optional)"
        rows={4}
        writing={lineList}
        hint="Headings in order, one per line. Without them: Overview, Key attributes, Relationships, Recent activity, Strategic insights."
      />
      <TextField
        path="params.max_tokens"
        label="Length in tokens (optional)"
        writing={numberText}
        hint="About how long the text may be: 256 to 16,000. Default: 4,000."
      />
    </>
  );
}

export function JsonFields() {
  const form = useForm();
  return (
    <Field path="json" label="Request" hint="The body of POST /runs.">
      {(wired) => (
        <textarea
          {...wired}
          rows={18}
          class="code"
          spellcheck={false}
          value={form.json.value}
          onInput={({ currentTarget }) => {
            form.json.value = currentTarget.value;
            form.edit('json');
          }}
        />
      )}
    </Field>
  );
}
