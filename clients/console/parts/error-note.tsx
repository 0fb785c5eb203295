// An error as every page shows it: what happened, what to do, where to read more.
import { ConnectionError, isApiError } from '../../sdk/index.ts';
import { session, signOut } from '../session.ts';
import { valueAt } from '../view-models/draft.ts';
import { says, unsaidFields } from '../view-models/issues.ts';
import { limitText } from '../view-models/limit-text.ts';
import { modelAdvice } from '../view-models/model-advice.ts';
import { IssueList } from './issue-list.tsx';
import { Said } from './said.tsx';

interface Advice {
  remedy: string;
  /** The text of each value of `details.reason`. */
  reasons?: Readonly<Record<string, string>>;
}

/** The remedy of each error, taken from the contract at build time. A newer service may return other errors. */
declare const ADVICE: Readonly<Record<string, Advice | undefined>>;

interface Props {
  error: unknown;
  /** Offers a retry. */
  retry?: (() => void) | undefined;
}

export function ErrorNote({ error, retry }: Props) {
  return (
    <div class="note bad" role="alert">
      {isApiError(error) ? (
        <ErrorText
          code={error.code}
          message={error.message}
          requestId={error.requestId}
          limit={limitText(error, Date.now())}
          details={error.details}
        />
      ) : (
        <FromElsewhere error={error} />
      )}
      <IssueList issues={unsaidFields(error)} />
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
      {isApiError(error) && error.status === 401 && session.value && (
        <button type="button" onClick={() => signOut()}>
          Sign in with another key
        </button>
      )}
    </div>
  );
}

interface TextProps {
  code: string;
  message: string;
  requestId?: string;
  /** The limit that was reached. */
  limit?: string | undefined;
  /** The text of its `reason` contains what to do. */
  details?: unknown;
  /** In place of the general advice. */
  remedy?: string | undefined;
  /** Whether the error is of a run that can be resumed. */
  resumable?: boolean;
}

/** A service error in words; errors of runs have no request. */
export function ErrorText({
  code,
  message,
  requestId,
  limit,
  details,
  remedy,
  resumable = false,
}: TextProps) {
  const advice = ADVICE[code];
  const model = modelAdvice(details, resumable);
  const what = model.remedy ?? remedy ?? advice?.remedy;
  const reason = valueAt(details, 'reason');
  const why = typeof reason === 'string' ? advice?.reasons?.[reason] : undefined;
  // The fields say what to do.
  const hasIssues = valueAt(details, 'issues') !== undefined;
  return (
    <>
      <p>
        <strong>
          <Said text={message} />
        </strong>{' '}
        <code>{code}</code>
      </p>
      {limit && <p>{limit}</p>}
      {model.said && <p>{model.said}</p>}
      {why
        ? !says(message, why) && <p>{plain(why)}</p>
        : what && !hasIssues && <p>What to do: {plain(what)}</p>}
      <MoreAbout code={code} requestId={requestId} />
    </>
  );
}

/** Where an error is explained, and how it is found in the logs. */
export function MoreAbout({ code, requestId }: { code: string; requestId?: string | undefined }) {
  return (
    <p class="quiet">
      <a href={`docs/errors#${code}`}>About this error</a>
      {requestId !== undefined && (
        <>
          {' '}
          · Request <code>{requestId}</code>
        </>
      )}
    </p>
  );
}

function FromElsewhere({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ConnectionError)) return <p>{message}</p>;
  return (
    <>
      <p>
        <strong>The service cannot be reached.</strong> <span class="quiet">{message}</span>
      </p>
      <p>What to do: check that the service is running and this device is online, then try again.</p>
    </>
  );
}

/** A remedy without code marks. */
const plain = (remedy: string) => remedy.replaceAll('`', '');
