// The model calls of one step, or of the reading of a query, when they are opened: prompts and answers as they were.
import { useSignal } from '@preact/signals';
import { durationText } from '../../duration-text.ts';
import type { RunState, SavedCall } from '../../sdk/index.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { allows, type Session } from '../session.ts';
import { counted } from '../view-models/figures.ts';

interface Props {
  session: Session;
  run: Pick<RunState, 'id' | 'config' | 'status'>;
  /** -1: the reading of a query. */
  stepIndex: number;
}

/** Nothing where the run keeps no calls, or the key may not read them. */
export function ModelCalls({ session, run, stepIndex }: Props) {
  const isOpen = useSignal(false);
  if (!run.config?.keep_calls || !allows(session, 'artifacts:read')) return null;
  return (
    <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>Model calls</summary>
      {isOpen.value && <Calls key={run.status} session={session} id={run.id} stepIndex={stepIndex} />}
    </details>
  );
}

function Calls({ session, id, stepIndex }: { session: Session; id: string; stepIndex: number }) {
  const page = useResource(`${id}/${stepIndex}`, async (signal) =>
    session.client.runs.calls(id, { step_index: stepIndex }, { signal }),
  );
  return (
    <Show resource={page}>
      {({ data, next_cursor }) => (
        <>
          {data.length === 0 && <p class="quiet">None yet.</p>}
          {data.map((call, i) => (
            <Call key={i} call={call} />
          ))}
          {next_cursor !== null && (
            <More session={session} id={id} stepIndex={stepIndex} cursor={next_cursor} />
          )}
        </>
      )}
    </Show>
  );
}

/** The pages after the first, as they are asked for. */
function More({ cursor, ...props }: { session: Session; id: string; stepIndex: number; cursor: string }) {
  const calls = useSignal<SavedCall[]>([]);
  const next = useSignal<string | null>(cursor);
  const failure = useSignal<unknown>(undefined);
  const load = async () => {
    try {
      const query = { step_index: props.stepIndex, cursor: next.value ?? '' };
      const page = await props.session.client.runs.calls(props.id, query);
      calls.value = [...calls.value, ...page.data];
      next.value = page.next_cursor;
      failure.value = undefined;
    } catch (error) {
      failure.value = error;
    }
  };
  return (
    <>
      {calls.value.map((call, i) => (
        <Call key={i} call={call} />
      ))}
      {failure.value !== undefined && <ErrorNote error={failure.value} />}
      {next.value !== null && (
        <button type="button" onClick={() => void load()}>
          Show more calls
        </button>
      )}
    </>
  );
}

function Call({
  call: { task, call, model, outcome, duration_ms, usage, messages, answer },
}: {
  call: SavedCall;
}) {
  const tokens = usage ? `, ${counted(usage.input_tokens, 'token')} in, ${usage.output_tokens} out` : '';
  return (
    <details class="model-call">
      <summary>
        {task} {call + 1}: {outcome.replaceAll('_', ' ')}{' '}
        <span class="quiet">
          {model}, {durationText(duration_ms)}
          {tokens}
        </span>
      </summary>
      {messages.map(({ role, content }, i) => (
        <section key={i} aria-label={role}>
          <h4>{role}</h4>
          <pre class="breaks">{content}</pre>
        </section>
      ))}
      <section aria-label="answer">
        <h4>answer</h4>
        {answer === null ? <p class="quiet">No answer came.</p> : <pre class="breaks">{answer}</pre>}
      </section>
    </details>
  );
}
