// One field of an answer: its label, what it is filled with, its hint, and what the service says of its value.
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Choice } from '../parts/choice.tsx';
import { Said } from '../parts/said.tsx';
import type { AnswerField, Entered, Option } from '../view-models/answer-form.ts';

interface Props {
  field: AnswerField;
  entered: Entered;
  /** Why its value was refused. */
  issue: string | undefined;
  onEnter: (entered: Entered) => void;
}

export function AnswerControl(props: Props) {
  const { control } = props.field;
  if (control.is === 'choices') return <Boxes {...props} options={control.options} />;
  if (control.is === 'choice' && control.options.length <= MOST_RADIOS)
    return <Radios {...props} options={control.options} />;
  return <Labelled {...props} />;
}

/** More are chosen from a list that opens. */
const MOST_RADIOS = 5;

const labelOf = ({ label, isRequired }: AnswerField) => (isRequired ? label : `${label} (optional)`);

interface NoteProps extends Pick<Props, 'field' | 'issue'> {
  id: string;
}

/** The hint of a field, and its issue. */
function Notes({ id, field: { hint }, issue }: NoteProps) {
  return (
    <>
      {issue !== undefined && (
        <p id={`${id}-issue`} class="refused">
          <Said text={issue} />
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </>
  );
}

const describedBy = ({ id, field, issue }: NoteProps) =>
  [field.hint !== undefined && `${id}-hint`, issue !== undefined && `${id}-issue`]
    .filter(Boolean)
    .join(' ') || undefined;

/** A field of one control. */
function Labelled({ field, entered: [text = ''], issue, onEnter }: Props) {
  const id = useId();
  const wired = {
    ...{ id, dir: 'auto', required: field.isRequired && !field.allowsNull },
    'aria-invalid': issue !== undefined,
    'aria-describedby': describedBy({ id, field, issue }),
  };
  return (
    <div class="field" dir="auto">
      <label for={id}>{labelOf(field)}</label>
      <Writable field={field} wired={wired} text={text} onText={(next) => onEnter([next])} />
      <Notes id={id} field={field} issue={issue} />
    </div>
  );
}

interface WritableProps {
  field: AnswerField;
  wired: object;
  text: string;
  onText: (text: string) => void;
}

function Writable({ field: { control }, wired, text, onText }: WritableProps) {
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    onText(currentTarget.value);
  switch (control.is) {
    case 'choice':
      return <Choice {...wired} options={numbered(control.options)} value={text} all="–" onChoose={onText} />;
    case 'number': {
      const { isWhole, min, max } = control;
      return (
        <input
          {...{ ...wired, min, max, value: text, onInput }}
          type="number"
          step={isWhole ? 1 : 'any'}
          inputMode={isWhole && (min ?? -1) >= 0 ? 'numeric' : undefined}
        />
      );
    }
    case 'date':
      return <input {...wired} type="date" value={text} onInput={onInput} />;
    case 'time':
      return <input {...wired} type="datetime-local" value={text} onInput={onInput} />;
    case 'text':
      if (!control.isLong) return <input {...wired} autocomplete="off" value={text} onInput={onInput} />;
  }
  return <textarea {...wired} rows={4} value={text} onInput={onInput} />;
}

/** The options as a list knows them: by their numbers. */
const numbered = (options: readonly Option[]) => options.map(({ text }, at) => [String(at), text] as const);

interface OptionsProps extends Props {
  options: readonly Option[];
}

/** One of a few. What is not needed can be left out again. */
function Radios(props: OptionsProps) {
  const { field, entered, options, onEnter } = props;
  const name = useId();
  const shown = [...numbered(options), ...(field.isRequired ? [] : [['', 'No answer'] as const])];
  return (
    <Group {...props}>
      {shown.map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="radio"
            name={name}
            required={field.isRequired && !field.allowsNull}
            checked={(entered[0] ?? (field.isRequired ? undefined : '')) === value}
            onChange={() => onEnter([value])}
          />
          {text}
        </label>
      ))}
    </Group>
  );
}

/** Any of some. */
function Boxes(props: OptionsProps) {
  const { entered, options, onEnter } = props;
  const others = (value: string) => entered.filter((one) => one !== value);
  return (
    <Group {...props}>
      {numbered(options).map(([value, text]) => (
        <label key={value} class="check">
          <input
            type="checkbox"
            checked={entered.includes(value)}
            onChange={({ currentTarget }) =>
              onEnter(currentTarget.checked ? [...others(value), value] : others(value))
            }
          />
          {text}
        </label>
      ))}
    </Group>
  );
}

function Group({ field, issue, children }: OptionsProps & { children: ComponentChildren }) {
  const id = useId();
  return (
    <fieldset class="group" dir="auto" aria-describedby={describedBy({ id, field, issue })}>
      <legend>{labelOf(field)}</legend>
      <div class="options">{children}</div>
      <Notes id={id} field={field} issue={issue} />
    </fieldset>
  );
}
