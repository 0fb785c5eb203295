// The keys of the workspace and its audit, for keys that manage keys.
import { useSignal } from '@preact/signals';
import type { AuditList, Key, NewKey } from '../../sdk/index.ts';
import { useAction } from '../action.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { KeyForm } from '../parts/key-form.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { type Resource, useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { timeText } from '../view-models/figures.ts';
import type { PageProps } from './page.ts';

const ENTRIES_SHOWN = 50;

export function KeysPage({ session }: PageProps) {
  useTitle('Keys');
  const keys = useResource('keys', (signal) => session.client.keys.list({ signal }));
  const audit = useResource(
    'audit',
    async (signal) => await session.client.audit.list({ limit: ENTRIES_SHOWN }, { signal }),
  );
  const made = useSignal<NewKey | undefined>(undefined);
  const creating = useSignal(false);
  const changed = async (key?: NewKey) => {
    creating.value = false;
    made.value = key;
    await Promise.all([keys.reload(), audit.reload()]);
  };
  return (
    <>
      <h1>Keys</h1>
      <button type="button" class="primary" onClick={() => (creating.value = true)}>
        New key
      </button>
      {creating.value && (
        <Dialog title="New key" onClose={() => (creating.value = false)}>
          <KeyForm session={session} onMade={changed} />
        </Dialog>
      )}
      {made.value && <Made made={made.value} onClose={() => (made.value = undefined)} />}
      <Show resource={keys}>
        {(all) => (
          <ul class="entries">
            {all.map((key) => (
              <KeyEntry key={key.key_id} session={session} entry={key} onChanged={changed} />
            ))}
          </ul>
        )}
      </Show>
      <h2 id="audit">Audit</h2>
      <Audit audit={audit} keys={keys} />
    </>
  );
}

/** The text of a new key, which no later page shows. */
function Made({ made, onClose }: { made: NewKey; onClose: () => void }) {
  return (
    <Dialog title={`Key ${made.name}`} onClose={onClose}>
      <p>Copy the key now: it is not shown again.</p>
      <p class="row">
        <code>{made.api_key}</code> <CopyButton text={() => made.api_key}>Copy</CopyButton>
      </p>
    </Dialog>
  );
}

interface EntryProps {
  session: Session;
  entry: Key;
  onChanged: (made?: NewKey) => Promise<void>;
}

function KeyEntry({ session, entry, onChanged }: EntryProps) {
  const { key_id, name, scopes, last_used_day, expires_at, revoked_at, successor_of } = entry;
  const asked = useSignal<'rotate' | 'revoke' | undefined>(undefined);
  const active = revoked_at === null && (expires_at === null || expires_at > Date.now());
  const own = session.me.value?.key_id === key_id;
  return (
    <li>
      <p class="row">
        <strong>{name}</strong> <code class="quiet">{key_id}</code>
        <span class={`badge is-${active ? 'succeeded' : 'canceled'}`}>
          {revoked_at !== null ? 'revoked' : active ? 'active' : 'expired'}
        </span>
        {own && <span class="quiet">this key</span>}
        {active && (
          <button type="button" onClick={() => (asked.value = 'rotate')}>
            Rotate
          </button>
        )}
        {active && !own && (
          <button type="button" onClick={() => (asked.value = 'revoke')}>
            Revoke
          </button>
        )}
      </p>
      <p class="quiet">
        {last_used_day === null ? 'Never used' : `Last used on ${last_used_day}`}
        {expires_at !== null && `, ${active ? 'expires' : 'expired'} ${timeText(expires_at)}`}
        {successor_of !== null && `, replaces ${successor_of}`}: {scopes.join(', ')}
      </p>
      {asked.value === 'rotate' && (
        <Dialog title={`Rotate ${name}`} onClose={() => (asked.value = undefined)}>
          <RotateForm session={session} entry={entry} onChanged={onChanged} />
        </Dialog>
      )}
      {asked.value === 'revoke' && (
        <Dialog title={`Revoke ${name}`} onClose={() => (asked.value = undefined)}>
          <Revocation session={session} entry={entry} onChanged={onChanged} />
        </Dialog>
      )}
    </li>
  );
}

const graces = [
  ['86400', 'a day'],
  ['3600', 'an hour'],
  ['604800', 'a week'],
  ['0', 'not at all'],
] as const;

function RotateForm({ session, entry, onChanged }: EntryProps) {
  const grace = useSignal('86400');
  const action = useAction();
  const rotate = async () =>
    onChanged(await session.client.keys.rotate(entry.key_id, { grace_seconds: Number(grace.value) }));
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void action.start(rotate);
      }}
    >
      <p>A new key takes its place. Both sign webhooks while the old one still works.</p>
      <label>
        The old key still works{' '}
        <select value={grace.value} onChange={({ currentTarget }) => (grace.value = currentTarget.value)}>
          {graces.map(([seconds, text]) => (
            <option key={seconds} value={seconds}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
      <button class="primary" type="submit" disabled={action.pending.value}>
        {action.pending.value ? 'Rotating…' : 'Rotate the key'}
      </button>
    </form>
  );
}

function Revocation({ session, entry, onChanged }: EntryProps) {
  const action = useAction();
  const revoke = async () => {
    await session.client.keys.revoke(entry.key_id);
    await onChanged();
  };
  return (
    <>
      <p>Programs that use this key are refused at once. This cannot be undone.</p>
      {action.error.value !== undefined && <ErrorNote error={action.error.value} />}
      <button
        class="primary"
        type="button"
        disabled={action.pending.value}
        onClick={() => action.start(revoke)}
      >
        {action.pending.value ? 'Revoking…' : 'Revoke the key'}
      </button>
    </>
  );
}

interface AuditProps {
  audit: Resource<AuditList>;
  keys: Resource<Key[]>;
}

function Audit({ audit, keys }: AuditProps) {
  const loaded = keys.loaded.value;
  const names = new Map(loaded.state === 'ready' ? loaded.value.map((key) => [key.key_id, key.name]) : []);
  return (
    <Show resource={audit}>
      {({ data }) => (
        <ul class="entries">
          {data.map(({ at, actor, action, target, request_id }) => (
            <li key={`${at} ${request_id} ${target}`}>
              <Ago at={at} /> <strong>{action}</strong> <code>{names.get(target) ?? target}</code>{' '}
              <span class="quiet">by {names.get(actor) ?? actor}</span>
            </li>
          ))}
        </ul>
      )}
    </Show>
  );
}
