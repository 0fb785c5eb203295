// Signing in with an API key, or with that of the demo workspace where the service offers it (rules.md: console 15).
import { useAction } from '../action.ts';
import { demoKey, hasDemo } from '../demo.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { refused, signIn } from '../session.ts';
import { useTitle } from '../title.ts';

export function LoginPage() {
  useTitle('Sign in');
  const { pending, error, start } = useAction();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!(event.currentTarget instanceof HTMLFormElement)) return;
    const fields = new FormData(event.currentTarget);
    void start(() => signIn(String(fields.get('key')).trim(), { keep: fields.has('keep') }));
  };
  const shown = error.value ?? refused.value;
  const openDemo = () => void start(async () => signIn(await demoKey(), { keep: false }));
  return (
    <form class="login" onSubmit={submit}>
      <h1>Sign in</h1>
      {hasDemo && (
        <p class="row">
          <button type="button" disabled={pending.value} onClick={openDemo}>
            Open the demo workspace
          </button>
          <span class="quiet">or use a key</span>
        </p>
      )}
      <label>
        API key
        <input name="key" type="password" required autocomplete="off" spellcheck={false} placeholder="sk_…" />
      </label>
      <label class="check">
        <input name="keep" type="checkbox" /> Keep on this device
      </label>
      <p class="quiet">
        The key is stored for this tab and sent to this service only. A local service prints an address with
        its demo key when it starts; <code>admin key create</code> makes others.
      </p>
      {shown !== undefined && <ErrorNote error={shown} />}
      <button class="primary" type="submit" disabled={pending.value}>
        {pending.value ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  );
}
