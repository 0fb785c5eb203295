// One form field: label, hint, issue, and the input that edits one member of the request.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Choice } from '../parts/choice.tsx';
import { Said } from '../parts/said.tsx';
import { plainText, type Writing } from '../view-models/typed-text.ts';
import { useForm, useIssue } from './run-form.ts';

/** What an input gets from its field. */
interface Wired {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
}

export interface FieldTexts {
  /** Dotted path of the member. */
  path: string;
  label: string;
  hint?: string | undefined;
}

/** The id of the field of a member. */
export const idOf = (path: string) => `at-${path.replaceAll('.', '-')}`;

interface FieldProps extends FieldTexts {
  /** The value has parts without fields: an issue says which part it is about. */
  hasParts?: boolean | undefined;
  children: (wired: Wired) => ComponentChildren;
}

export function Field({ path, label, hint, hasParts, children }: FieldProps) {
  const issue = useIssue(path);
  const id = idOf(path);
  const described = [hint && `${id}-hint`, issue && `${id}-issue`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-invalid': issue !== undefined, 'aria-describedby': described || undefined })}
      {issue && (
        <p id={`${id}-issue`} class="refused">
          {hasParts && issue.path !== path && (
            <>
              <code>{issue.path.slice(path.length + 1)}</code>:{' '}
            </>
          )}
          <Said text={issue.message} />
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
    </div>
  );
}

interface GroupProps extends FieldTexts {
  /** Issues of its parts are shown at their own fields, and those of the whole come first. */
  partsHaveFields?: boolean;
  children: ComponentChildren;
}

/** A member of several fields. */
export function FieldGroup({ path, label, hint, partsHaveFields = false, children }: GroupProps) {
  const issue = useIssue(path, { isWhole: partsHaveFields });
  const refused = issue && (
    <p class="refused">
      <Said text={issue.message} />
    </p>
  );
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {partsHaveFields && refused}
      {children}
      {!partsHaveFields && refused}
    </fieldset>
  );
}

interface TextFieldProps extends Omit<FieldProps, 'children'> {
  /** Converts the text to the value; plain text by default. */
  writing?: Writing;
  /** More than one makes it a text area. */
  rows?: number;
}

export function TextField({ writing = plainText, rows = 1, ...field }: TextFieldProps) {
  const form = useForm();
  const offers = form.offersAt(field.path);
  const [text, write] = useText(form.at(field.path), writing, (value) => form.set(field.path, value));
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) =>
    write(currentTarget.value);
  const onBlur = () => form.edit(field.path);
  return (
    <Field {...field}>
      {(wired) =>
        rows > 1 ? (
          <textarea {...wired} rows={rows} value={text} onInput={onInput} onBlur={onBlur} />
        ) : (
          <>
            <input
              type="text"
              autocomplete="off"
              {...wired}
              list={offers.length > 0 ? `${wired.id}-offers` : undefined}
              value={text}
              onInput={onInput}
              onBlur={onBlur}
            />
            {offers.length > 0 && (
              <datalist id={`${wired.id}-offers`}>
                {offers.map((offer) => (
                  <option key={offer} value={offer} />
                ))}
              </datalist>
            )}
          </>
        )
      }
    </Field>
  );
}

/** The text of a value, as typed while it still means that value, so that nothing changes under the cursor. */
function useText(
  value: unknown,
  writing: Writing,
  set: (value: unknown) => void,
): [string, (text: string) => void] {
  const typed = useSignal(writing.write(value));
  const stands = JSON.stringify(writing.read(typed.value)) === JSON.stringify(value);
  const write = (text: string) => {
    typed.value = text;
    set(writing.read(text));
  };
  return [stands ? typed.value : writing.write(value), write];
}

interface ChoiceFieldProps extends Omit<FieldProps, 'children'> {
  /** The text of each value. */
  options: Readonly<Record<string, string>>;
  /** What is chosen: the value of the member by default, and the first option without one. */
  value?: string;
  onChoose?: (value: string) => void;
}

export function ChoiceField({ options, value, onChoose, ...field }: ChoiceFieldProps) {
  const form = useForm();
  const chosen = value ?? String(form.at(field.path) ?? Object.keys(options)[0]);
  const choose = onChoose ?? ((next) => form.set(field.path, next));
  return (
    <Field {...field}>
      {(wired) => <Choice {...wired} options={Object.entries(options)} value={chosen} onChoose={choose} />}
    </Field>
  );
}

interface CheckFieldProps {
  path: string;
  label: string;
  /** The value when ticked; otherwise the member is absent. */
  on?: boolean;
  disabled?: boolean;
}

export function CheckField({ path, label, on = true, disabled }: CheckFieldProps) {
  const form = useForm();
  const issue = useIssue(path);
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={form.at(path) === on}
        disabled={disabled}
        aria-invalid={issue !== undefined}
        onChange={({ currentTarget }) => form.set(path, currentTarget.checked ? on : undefined)}
      />
      {label}
      {issue && (
        <span class="refused">
          <Said text={issue.message} />
        </span>
      )}
    </label>
  );
}
