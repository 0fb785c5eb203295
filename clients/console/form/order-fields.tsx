// The sort order of records, and the measures of groups.
import { measureOps, sortWords } from '../contract.ts';
import { valueAt } from '../view-models/draft.ts';
import { ChoiceField, TextField } from './field.tsx';
import { RowsField } from './rows-field.tsx';
import { useForm } from './run-form.ts';

interface Props {
  path: string;
  label: string;
  hint: string;
}

const BY_FIELDS = 'by fields';
const words = Object.fromEntries(sortWords.map((word) => [word, word.replace('_', ' ')]));

export function SortField(props: Props) {
  const form = useForm();
  const sort = form.at(props.path);
  const byFields = Array.isArray(sort);
  const choose = (word: string) =>
    form.set(props.path, word === BY_FIELDS ? [{ field: '' }] : word === '' ? undefined : word);
  return (
    <>
      <ChoiceField
        {...props}
        options={{ '': 'By relevance to a query, else by id', ...words, [BY_FIELDS]: 'By fields…' }}
        value={byFields ? BY_FIELDS : String(sort ?? '')}
        onChoose={choose}
      />
      {byFields && (
        <RowsField path={props.path} label="Sort by" noun="field" blank={{ field: '' }}>
          {(path) => (
            <>
              <TextField path={`${path}.field`} label="Field" options={form.fieldsAt(path)} />
              <Choice path={`${path}.direction`} label="Direction" words={['asc', 'desc']} />
            </>
          )}
        </RowsField>
      )}
    </>
  );
}

export function MeasuresField(props: Props) {
  const form = useForm();
  return (
    <RowsField {...props} noun="measure" blank={{ as: '', op: 'sum' }}>
      {(path) => (
        <>
          <TextField path={`${path}.as`} label="Name" />
          <Choice path={`${path}.op`} label="Is the" words={measureOps} />
          <TextField path={`${path}.field`} label="Of the field" options={form.fieldsAt(path)} />
        </>
      )}
    </RowsField>
  );
}

/** One of a few words; the first by default. */
function Choice({ path, label, words }: { path: string; label: string; words: readonly string[] }) {
  const form = useForm();
  return (
    <ChoiceField
      path={path}
      label={label}
      options={Object.fromEntries(words.map((word) => [word, word]))}
      value={String(valueAt(form.draft.value, path) ?? words[0])}
      onChoose={(word) => form.set(path, word)}
    />
  );
}
