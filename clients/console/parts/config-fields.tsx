// The fields of a run's config: flags that the key may set, cost limit, callback.
import { useRef } from 'preact/hooks';
import type { RunConfig, Scope } from '../../sdk/index.ts';
import { allows, type Session } from '../session.ts';
import { scopedFlags } from '../view-models/scoped-flags.ts';

const flags: readonly {
  name: 'strict_mode' | (typeof scopedFlags)[number]['name'];
  does: string;
  scope?: Scope;
}[] = [{ name: 'strict_mode', does: 'Refuse an ambiguous query' }, ...scopedFlags];

interface Props {
  session: Session;
  value: RunConfig;
  onChange: (config: RunConfig) => void;
}

export function ConfigFields({ session, value, onChange }: Props) {
  // The field owns the text being typed: `0.` on the way to `0.5` is not a number yet.
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
        Notify this https address when the run ends
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
