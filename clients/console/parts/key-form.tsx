// The form of a new key: it offers what the key in use may give.
import type { NewKey, Scope } from '../../sdk/index.ts';
import type { Session } from '../session.ts';
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
  const create = async (fields: FormData) => {
    const [days, usd] = [String(fields.get('days')), String(fields.get('usd'))];
    const key = await session.client.keys.create({
      name: String(fields.get('name')).trim(),
      scopes: own.filter((scope) => fields.has(scope)),
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
      <fieldset>
        <legend>Scopes</legend>
        {own.map((scope) => (
          <label class="check" key={scope}>
            <input name={scope} type="checkbox" defaultChecked={scope === 'runs:read'} /> {scope}
          </label>
        ))}
      </fieldset>
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
