// What any run may be given beside its input: limits, flags by the key's scopes, an address to tell, pairs of one's own.
import type { Scope } from '../../sdk/index.ts';
import { allows } from '../session.ts';
import { numberText, pairList } from '../text/typed-text.ts';
import { CheckField, TextField } from './field.tsx';
import { useForm } from './run-form.ts';

const flags: readonly { path: string; label: string; scope: Scope }[] = [
  { path: 'config.xray', label: 'Also draw on the global workspace', scope: 'config:xray' },
  { path: 'config.global_search', label: 'Search more broadly', scope: 'config:global_search' },
  {
    path: 'config.unlimited_transform',
    label: 'Let a transform work on up to 5,000 items',
    scope: 'config:unlimited_transform',
  },
];

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
          {flags.map(({ path, label, scope }) => (
            <CheckField
              key={path}
              path={path}
              label={allows(form.session, scope) ? label : `${label} (the key has no scope ${scope})`}
              disabled={!allows(form.session, scope)}
            />
          ))}
        </div>
      </div>
    </details>
  );
}
