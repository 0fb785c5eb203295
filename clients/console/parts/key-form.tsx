// The form of a new key: it offers what the key in use may give.
import { useSignal } from '@preact/signals';
import type { NewKey, Scope } from '../../sdk/index.ts';
import type { Session } from '../session.ts';
import { presets, sameScopes, scopeText } from '../view-models/scope-text.ts';
import { ActionForm } from './action.tsx';

const DAY_MS = 86_400_000;
const terms = [
  ['', 'never'],
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in a year'],
] as const;

interface Props {
  session: Session;
  onMade: (key: NewKey) => Promise<void>;
}

export function KeyForm({ session, onMade }: Props) {
  const own: readonly Scope[] = session.me.value?.scopes ?? [];
  // The scopes of the key in use may still be on their way.
  const choice = useSignal<readonly Scope[] | undefined>(undefined);
  const chosen = choice.value ?? presets.Read(own);
  const create = async (fields: FormData) => {
    const [days, usd] = [String(fields.get('days')), String(fields.get('usd'))];
    const key = await session.client.keys.create({
      name: String(fields.get('name')).trim(),
      scopes: own.filter((scope) => chosen.includes(scope)),
      ...(days !== '' && { expires_at: Date.now() + Number(days) * DAY_MS }),
      ...(usd !== '' && { daily_cost_limit_usd: Number(usd) }),
    });
    await onMade(key);
  };
  return (
    <ActionForm act={create} confirm="Create the key" doing="Creating…">
      <label>
        Name
        <input name="name" required maxLength={200} autocomplete="off" />
      </label>
      <Scopes own={own} chosen={chosen} onChoose={(scopes) => (choice.value = scopes)} />
      <label>
        Expires{' '}
        <select name="days">
          {terms.map(([days, text]) => (
            <option key={days} value={days}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <label>
        Daily limit in USD
        <input name="usd" type="number" min="0.01" step="any" placeholder="none" />
      </label>
    </ActionForm>
  );
}

interface ScopesProps {
  own: readonly Scope[];
  chosen: readonly Scope[];
  onChoose: (scopes: readonly Scope[]) => void;
}

function Scopes({ own, chosen, onChoose }: ScopesProps) {
  const toggle = (scope: Scope) => {
    const others = chosen.filter((one) => one !== scope);
    onChoose(chosen.includes(scope) ? others : [...others, scope]);
  };
  return (
    <fieldset>
      <legend>The key may</legend>
      <div class="row kinds">
        {Object.entries(presets).map(([name, of]) => (
          <button
            key={name}
            type="button"
            aria-pressed={sameScopes(of(own), chosen)}
            onClick={() => onChoose(of(own))}
          >
            {name}
          </button>
        ))}
      </div>
      {own.map((scope) => (
        <ScopeLine
          key={scope}
          scope={scope}
          checked={chosen.includes(scope)}
          onToggle={() => toggle(scope)}
        />
      ))}
    </fieldset>
  );
}

interface LineProps {
  scope: Scope;
  checked: boolean;
  onToggle: () => void;
}

function ScopeLine({ scope, checked, onToggle }: LineProps) {
  const { does, spends } = scopeText(scope);
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={onToggle} />
      <span>
        {does} {spends && <span class="kind">may spend</span>} <code class="quiet">{scope}</code>
      </span>
    </label>
  );
}
