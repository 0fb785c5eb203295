// What starts an action of the user, a button or a form, and why it failed.
import type { ComponentChildren } from 'preact';
import { type Action, useAction } from '../action.ts';
import { ErrorNote } from './error-note.tsx';

interface ButtonProps {
  action: Action;
  act: () => Promise<void>;
  /** Its text while the action is running. */
  doing?: string;
  class?: string;
  disabled?: boolean;
  children: ComponentChildren;
}

export function ActionButton({ action, act, doing, disabled, children, class: kind }: ButtonProps) {
  const { value: pending } = action.pending;
  return (
    <button type="button" class={kind} disabled={pending || disabled} onClick={() => action.start(act)}>
      {pending && doing !== undefined ? doing : children}
    </button>
  );
}

/** Why the last attempt failed. */
export function ActionError({ action }: { action: Action }) {
  return action.error.value === undefined ? null : <ErrorNote error={action.error.value} />;
}

interface FormProps {
  act: (fields: FormData) => Promise<void>;
  /** The texts of its button, at rest and while the action is running. */
  confirm: string;
  doing: string;
  /** Nothing can be sent yet. */
  disabled?: boolean;
  children: ComponentChildren;
}

/** Fields, and a button that sends them. */
export function ActionForm({ act, confirm, doing, disabled = false, children }: FormProps) {
  const action = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const fields = new FormData(event.currentTarget);
    void action.start(() => act(fields));
  };
  return (
    <form class="stack" onSubmit={submit}>
      {children}
      <ActionError action={action} />
      <button class="primary" type="submit" disabled={action.pending.value || disabled}>
        {action.pending.value ? doing : confirm}
      </button>
    </form>
  );
}
