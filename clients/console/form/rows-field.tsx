// A list of entries with several members each: one row of fields per entry.
import type { ComponentChildren } from 'preact';
import { useForm } from './run-form.ts';

interface Props {
  path: string;
  label: string;
  hint?: string | undefined;
  /** The name of an entry. */
  noun: string;
  /** A new entry. */
  blank: object;
  /** The fields of the entry at a path. */
  children: (path: string) => ComponentChildren;
}

export function RowsField({ path, label, hint, noun, blank, children }: Props) {
  const form = useForm();
  const found = form.at(path);
  const entries: unknown[] = Array.isArray(found) ? found : [];
  const issue = form.issueAt(path);
  const replace = (next: unknown[]) => form.set(path, next.length > 0 ? next : undefined);
  return (
    <fieldset class="group wide">
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {issue?.path === path && <p class="refused">{issue.message}</p>}
      {entries.map((_, at) => (
        <div class="condition" key={`${at} of ${entries.length}`}>
          {children(`${path}.${at}`)}
          <button type="button" class="danger" onClick={() => replace(entries.toSpliced(at, 1))}>
            Remove <span class="unseen">the {noun}</span>
          </button>
        </div>
      ))}
      <button type="button" onClick={() => replace([...entries, blank])}>
        Add a {noun}
      </button>
    </fieldset>
  );
}
