// A button that opens a dialog, and one whose action a dialog must confirm.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useAction } from '../action.ts';
import { ActionButton, ActionError } from './action.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  text: string;
  /** Of the dialog; the text of the button by default. */
  title?: string;
  class?: string;
  children: (close: () => void) => ComponentChildren;
}

export function DialogButton({ text, title = text, class: kind, children }: Props) {
  const open = useSignal(false);
  const close = () => {
    open.value = false;
  };
  return (
    <>
      <button type="button" class={kind} onClick={() => (open.value = true)}>
        {text}
      </button>
      {open.value && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ConfirmedProps {
  button: string;
  title: string;
  text: string;
  confirm: string;
  doing: string;
  act: () => Promise<void>;
}

/** A button whose action is done once a dialog has confirmed it. */
export function Confirmed({ button, title, ...question }: ConfirmedProps) {
  return (
    <DialogButton class="danger" text={button} title={title}>
      {(close) => <Question {...question} onDone={close} />}
    </DialogButton>
  );
}

interface QuestionProps extends Omit<ConfirmedProps, 'button' | 'title'> {
  onDone: () => void;
}

function Question({ text, confirm, doing, act, onDone }: QuestionProps) {
  const action = useAction();
  return (
    <>
      <p>{text}</p>
      <ActionError action={action} />
      <ActionButton action={action} act={() => act().then(onDone)} doing={doing} class="danger">
        {confirm}
      </ActionButton>
    </>
  );
}
