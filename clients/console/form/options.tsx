// Options of every run: limits, flags by the key's scopes, callback, metadata.
import { allows } from '../session.ts';
import { scopedFlags } from '../view-models/scoped-flags.ts';
import { jsonText, numberText, pairList } from '../view-models/typed-text.ts';
import { CheckField, TextField } from './field.tsx';
import { useForm } from './run-form.ts';

export function Options() {
  const form = useForm();
  const paths = ['output_schema', 'config', 'metadata', 'callback_url'];
  const inUse = paths.some((path) => form.at(path) !== undefined || form.issueAt(path) !== undefined);
  return (
    <details open={inUse}>
      <summary>Options</summary>
      <div class="params">
        <Limits />
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

function Limits() {
  return (
    <>
      <TextField
        path="config.max_cost_usd"
        label="Cost limit, in USD"
        writing={numberText}
        hint="Once it has cost this much, the run stops before its next model call and can be resumed."
      />
      <TextField
        path="config.timeout_seconds"
        label="Time limit, in seconds"
        writing={numberText}
        hint="Past it nothing new begins: the run fails and can be resumed."
      />
      <TextField
        path="config.start_within_seconds"
        label="Start within, in seconds"
        writing={numberText}
        hint="A run that still waits to start after this time fails and can be resumed."
      />
      <TextField
        path="config.model_wait_seconds"
        label="Wait for models, in seconds"
        writing={numberText}
        hint="While no model answers, the run waits so long in all; then it fails and can be resumed. 0: not at all."
      />
      <TextField
        path="config.retain_seconds"
        label="Delete after, in seconds"
        writing={numberText}
        hint="The run is deleted this long after it ends."
      />
    </>
  );
}
