// A run's request, verbatim, and commands to repeat it elsewhere.
import type { RunState } from '../../sdk/index.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Json } from '../parts/json.tsx';
import type { Session } from '../session.ts';
import { asCli, asCurl, asTypeScript, requestOf } from '../view-models/commands.ts';

export function InputAsSent({ session, run }: { session: Session; run: RunState }) {
  const request = requestOf(run);
  const { baseUrl } = session;
  return (
    <section aria-labelledby="input">
      <details>
        <summary>
          <h2 id="input">Input as sent</h2>
        </summary>
        <Json value={request} />
      </details>
      <p class="row">
        <CopyButton text={() => asCurl(request, baseUrl)}>Copy as curl</CopyButton>
        <CopyButton text={() => asTypeScript(request, baseUrl)}>Copy as TypeScript</CopyButton>
        <CopyButton text={() => asCli(request, baseUrl)}>Copy for the terminal</CopyButton>
      </p>
    </section>
  );
}
