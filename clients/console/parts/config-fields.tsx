// The fields of a run's config: flags that the key may set, the limit of cost, the callback.
import { useRef } from 'preact/hooks';
import type { RunConfig, Scope } from '../../sdk/index.ts';
import { allows, type Session } from '../session.ts';

const flags: readonly {
  name: 'strict_mode' | 'xray' | 'global_search' | 'unlimited_transform';
  does: string;
  scope?: Scope;
}[] = [
  { name: 'strict_mode', does: 'Refuse an ambiguous query' },
  { name: 'xray', does: 'Also draw on the global workspace', scope: 'config:xray' },
  { name: 'global_search', does: 'Search more broadly', scope: 'config:global_search' },
  {
    name: 'unlimited_transform',
    does: 'Let a transform work on up to 5,000 items',
    scope: 'config:unlimited_transform',
  },
];

interface Props {
  session: Session;
  value: RunConfig;
  onChange: (config: RunConfig) => void;
}

export function ConfigFields({ session, value, onChange }: Props) {
  // What is being typed is its field's: `0.` on the way to `0.5` is no number yet.
  const begun = useRef(value).current;
  return (
    <>
      {flags
        .filter(({ scope }) => scope === undefined || allows(session, scope))
        .map(({ name, does }) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              checked={value[name] ?? name === 'strict_mode'}
              onChange={(event) => onChange({ ...value, [name]: event.currentTarget.checked })}
            />{' '}
            {does}
          </label>
        ))}
      <label>
        Fail when the cost reaches, USD
        <input
          inputMode="decimal"
          defaultValue={begun.max_cost_usd ?? ''}
          onInput={(event) => onChange(withCost(value, event.currentTarget.value))}
        />
      </label>
      <label>
        Tell this https address when the run ends
        <input
          type="url"
          defaultValue={begun.callback_url ?? ''}
          onInput={(event) => onChange(withCallback(value, event.currentTarget.value))}
        />
      </label>
    </>
  );
}

function withCost({ max_cost_usd: _, ...rest }: RunConfig, text: string): RunConfig {
  return text.trim() === '' ? rest : { ...rest, max_cost_usd: Number(text) };
}

function withCallback({ callback_url: _, ...rest }: RunConfig, text: string): RunConfig {
  return text.trim() === '' ? rest : { ...rest, callback_url: text.trim() };
}
