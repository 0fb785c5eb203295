// Options of every run: limits, flags by the key's scopes, callback, metadata.
import { allows } from '../session.ts';
import { scopedFlags } from '../view-models/scoped-flags.ts';
import { jsonText, numberText, pairList } from '../view-models/typed-text.ts';
import { CheckField, TextField } from './field.tsx';
import { useForm } from './run-form.ts';

/** The limits of a run: the member of the config, its label, what it does. */
const limits = [
  [
    'max_cost_usd',
    'Cost limit, in USD',
    'Once it has cost this much, the run stops before its next model call and can be resumed.',
  ],
  [
    'timeout_seconds',
    'Time limit, in seconds',
    'Past it nothing new begins: the run fails and can be resumed.',
  ],
  [
    'start_within_seconds',
    'Start within, in seconds',
    'A run that still waits to start after this time fails and can be resumed.',
  ],
  [
    'model_wait_seconds',
    'Wait for models, in seconds',
    'While no model answers, the run waits so long in all; then it fails and can be resumed. 0: not at all.',
  ],
  ['retain_seconds', 'Delete after, in seconds', 'The run is deleted this long after it ends.'],
] as const;

export function Options() {
  const form = useForm();
  const paths = ['output_schema', 'config', 'metadata', 'callback_url'];
  const inUse = paths.some((path) => form.at(path) !== undefined || form.issueAt(path) !== undefined);
  return (
    <details open={inUse}>
      <summary>Options</summary>
      <div class="params">
        {limits.map(([name, label, hint]) => (
          <TextField key={name} path={`config.${name}`} label={label} writing={numberText} hint={hint} />
        ))}
        <TextField
          path={form.at('callback_url') === undefined ? 'config.callback_url' : 'callback_url'}
          label="Callback address"
          hint="An https address that is notified when the run ends."
        />
        <TextField
          path="metadata"
          label="Metadata"
          rows={3}
          writing={pairList}
          hint="Your own pairs, one per line, as key: value."
        />
        {form.kind.value !== 'dossier' && (
          <TextField
            path="output_schema"
            label="Schema of the data"
            rows={8}
            writing={jsonText}
            hasParts
            hint="JSON Schema: the run also answers with data that conform to it, each value with the record it comes from."
          />
        )}
        <div class="field">
          <CheckField
            path="config.strict_mode"
            on={false}
            label="Use the best interpretation of an ambiguous query"
          />
          <CheckField path="config.keep_calls" label="Keep the prompts and answers of the model" />
          {scopedFlags.map(({ name, does, scope }) => (
            <CheckField
              key={name}
              path={`config.${name}`}
              label={allows(form.session, scope) ? does : `${does} (the key has no scope ${scope})`}
              disabled={!allows(form.session, scope)}
            />
          ))}
        </div>
      </div>
    </details>
  );
}
