// The keys of the workspace and its audit, for keys that manage keys.
import { useSignal } from '@preact/signals';
import type { AuditList, Key, NewKey } from '../../sdk/index.ts';
import { ActionForm } from '../parts/action.tsx';
import { Choice } from '../parts/choice.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { Confirmed, DialogButton } from '../parts/dialog-button.tsx';
import { KeyForm } from '../parts/key-form.tsx';
import { Show } from '../parts/show.tsx';
import { Ago } from '../parts/time.tsx';
import { type Resource, useResource } from '../resource.ts';
import type { Session } from '../session.ts';
import { useTitle } from '../title.ts';
import { counted, dateText, timeText } from '../view-models/figures.ts';
import { scopeText } from '../view-models/scope-text.ts';
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
  const changed = async (key?: NewKey) => {
    made.value = key;
    await Promise.all([keys.reload(), audit.reload()]);
  };
  return (
    <>
      <h1>Keys</h1>
      <DialogButton text="New key" class="primary">
        {(close) => <KeyForm session={session} onMade={(key) => changed(key).finally(close)} />}
      </DialogButton>
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
  const active = revoked_at === null && (expires_at === null || expires_at > Date.now());
  const own = session.me.value?.key_id === key_id;
  const revoke = async () => {
    await session.client.keys.revoke(key_id);
    await onChanged();
  };
  return (
    <li>
      <div class="row">
        <strong>{name}</strong> <code class="quiet">{key_id}</code>
        <span class={`badge is-${active ? 'succeeded' : 'canceled'}`}>
          {revoked_at !== null ? 'revoked' : active ? 'active' : 'expired'}
        </span>
        {own && <span class="quiet">this key</span>}
        {active && (
          <DialogButton text="Rotate" title={`Rotate ${name}`}>
            {(close) => (
              <RotateForm session={session} id={key_id} onMade={(made) => onChanged(made).finally(close)} />
            )}
          </DialogButton>
        )}
        {active && !own && (
          <Confirmed
            button="Revoke"
            title={`Revoke ${name}`}
            text="Programs that use this key are refused at once. This cannot be undone."
            confirm="Revoke the key"
            doing="Revoking…"
            act={revoke}
          />
        )}
      </div>
      <p class="quiet">
        {[
          last_used_day === null ? 'Never used' : `Last used on ${dateText(last_used_day) ?? last_used_day}`,
          ...(expires_at === null ? [] : [`${active ? 'expires' : 'expired'} ${timeText(expires_at)}`]),
          ...(successor_of === null ? [] : [`replaces ${successor_of}`]),
        ].join(' · ')}
      </p>
      <details>
        <summary class="quiet">May use {counted(scopes.length, 'scope')}</summary>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>
              {scopeText(scope).does} <code class="quiet">{scope}</code>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
}

const graces = [
  ['86400', 'a day'],
  ['3600', 'an hour'],
  ['604800', 'a week'],
  ['0', 'not at all'],
] as const;

interface RotateProps {
  session: Session;
  id: string;
  onMade: (made: NewKey) => Promise<void>;
}

function RotateForm({ session, id, onMade }: RotateProps) {
  const grace = useSignal('86400');
  const rotate = async () =>
    onMade(await session.client.keys.rotate(id, { grace_seconds: Number(grace.value) }));
  return (
    <ActionForm act={rotate} confirm="Rotate the key" doing="Rotating…">
      <p>A new key takes its place. Both sign webhooks while the old one still works.</p>
      <label>
        The old key still works{' '}
        <Choice options={graces} value={grace.value} onChoose={(seconds) => (grace.value = seconds)} />
      </label>
    </ActionForm>
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
          {data.map(({ at, actor, action, target, count, request_id }) => (
            <li key={`${at} ${request_id} ${target}`}>
              <Ago at={at} /> <strong>{action}</strong> <code>{names.get(target) ?? target}</code>{' '}
              {count !== undefined && `${counted(count, 'record')} `}
              <span class="quiet">by {names.get(actor) ?? actor}</span>
            </li>
          ))}
        </ul>
      )}
    </Show>
  );
}
