// The form of a new run: its kind, its fields, its verdict, and the submit button.
import { useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { isApiError } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { away } from '../connection.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { go, link } from '../router.ts';
import { allows } from '../session.ts';
import type { Kind } from '../view-models/draft.ts';
import { DossierFields, JsonFields, PlanFields, QueryFields } from './inputs.tsx';
import { Options } from './options.tsx';
import { FormContext, type RunForm } from './run-form.ts';
import { Verdict } from './verdict.tsx';

const kinds = { query: 'Query', plan: 'Plan', dossier: 'Dossier', json: 'JSON' } as const;
const fields = { query: QueryFields, plan: PlanFields, dossier: DossierFields, json: JsonFields } as const;
/** The service is asked after this pause in typing. */
const SETTLES_MS = 600;

export function NewRun({ form }: { form: RunForm }) {
  const element = useRef<HTMLFormElement>(null);
  const { pending, start } = useAction();
  useChecks(form);
  const Fields = fields[form.kind.value];
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault();
    const [sent, from] = [form.written.peek(), document.activeElement];
    void start(() => form.send().then((run) => run && go(link(`runs/${run.id}`)))).then(() =>
      requestAnimationFrame(() => {
        // Issues are shown at their fields, so the first one gets the focus, unless the user types on meanwhile.
        const typesOn = form.written.peek() !== sent || (document.activeElement !== from && isInField());
        if (!typesOn) focusFirstIssue(element.current);
      }),
    );
  };
  const again = () => {
    form.renew();
    submit();
  };
  const may = allows(form.session, 'runs:create');
  return (
    <FormContext.Provider value={form}>
      <Kinds form={form} />
      <form ref={element} class="new-run" onSubmit={submit} noValidate>
        <Fields />
        {form.kind.value !== 'json' && <Options />}
        <Verdict />
        {isApiError(form.verdict.value?.error, 'idempotency_key_conflict') && (
          <button type="button" onClick={again}>
            Send it as another run
          </button>
        )}
        <div class="row">
          <button class="primary" type="submit" disabled={pending.value || !may}>
            {pending.value ? 'Creating…' : 'Create run'}
          </button>
          <CopyButton text={() => shareable(form)}>Copy a link to this form</CopyButton>
          {!may && <span class="quiet">This key has no scope runs:create.</span>}
        </div>
      </form>
    </FormContext.Provider>
  );
}

/** Whether the focus is where keys are letters. */
function isInField(): boolean {
  return document.activeElement?.matches('input, textarea, select') ?? false;
}

function focusFirstIssue(form: HTMLFormElement | null): void {
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  // Nothing in a closed part can have the focus.
  field?.closest('details')?.setAttribute('open', '');
  field?.focus();
}

function Kinds({ form }: { form: RunForm }) {
  return (
    <fieldset class="row kinds">
      <legend class="unseen">Kind of run</legend>
      {Object.entries(kinds).map(([kind, text]) => (
        <button
          key={kind}
          type="button"
          aria-pressed={form.kind.value === kind}
          onClick={() => form.show(kind as Kind)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

/** Validates the request with the service after each pause in typing. */
function useChecks(form: RunForm): void {
  useSignalEffect(() => {
    // Subscribes, so that any change restarts the check, and so does a restored connection.
    void form.written.value;
    if (away.value) return undefined;
    const ended = new AbortController();
    const timer = setTimeout(() => void form.check(ended.signal), SETTLES_MS);
    return () => {
      ended.abort();
      clearTimeout(timer);
    };
  });
}

/** The address of the filled-in form, to share it. */
function shareable({ written }: RunForm): string {
  const { body, text } = written.value;
  return new URL(link('new', { body: body === undefined ? text : JSON.stringify(body) }), location.href).href;
}
