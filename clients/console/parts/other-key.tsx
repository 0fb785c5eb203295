// The question before a key in the address takes the place of the one in use.
import { answerOffer, offer, type Session, session } from '../session.ts';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

export function OtherKey() {
  const offered = offer.value;
  if (!offered) return null;
  const stay = () => answerOffer(false);
  if ('error' in offered)
    return (
      <Dialog title="The key in the address cannot be used" onClose={stay}>
        <ErrorNote error={offered.error} />
      </Dialog>
    );
  return (
    <Dialog title="Use another key?" onClose={stay}>
      <p>
        You are signed in to <Workspace of={session.value} />. The address contains a key of{' '}
        <Workspace of={offered.session} />.
      </p>
      <p>
        If you did not open this link yourself, stay. A request that is not sent yet is lost if you switch.
      </p>
      <div class="row">
        <button type="button" onClick={stay}>
          Stay
        </button>
        <button type="button" class="primary" onClick={() => answerOffer(true)}>
          Switch
        </button>
      </div>
    </Dialog>
  );
}

function Workspace({ of }: { of: Session | undefined }) {
  const workspace = of?.me.value?.workspace;
  return workspace ? (
    <>
      <strong>{workspace.name}</strong> (<code>{workspace.id}</code>)
    </>
  ) : (
    <>a workspace</>
  );
}
