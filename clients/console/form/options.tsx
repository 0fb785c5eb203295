// What any run may be given beside its input: limits, flags by the key's scopes, an address to tell, pairs of one's own.
import { allows } from '../session.ts';
import { scopedFlags } from '../view-models/scoped-flags.ts';
import { numberText, pairList } from '../view-models/typed-text.ts';
import { CheckField, TextField } from './field.tsx';
import { useForm } from './run-form.ts';

export function Options() {
  const form = useForm();
  const paths = ['config', 'metadata', 'callback_url'];
  const inUse = paths.some((path) => form.at(path) !== undefined || form.issueAt(path) !== undefined);
  return (
    <details open={inUse}>
      <summary>Options</summary>
      <div class="params">
        <TextField
          path="config.max_cost_usd"
          label="Most it may cost, in USD"
          writing={numberText}
          hint="The run stops before the model call that would begin beyond it, and can be resumed."
        />
        <TextField
          path={form.at('callback_url') === undefined ? 'config.callback_url' : 'callback_url'}
          label="Callback address"
          hint="An https address that is told when the run ends."
        />
        <TextField
          path="metadata"
          label="Metadata"
          rows={3}
          writing={pairList}
          hint="Pairs of your own, one a line, as key: value."
        />
        <div class="field">
          <CheckField
            path="config.strict_mode"
            on={false}
            label="Take the best reading of an ambiguous query"
          />
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
