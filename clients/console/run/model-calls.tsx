// The model calls of one step, or of the reading of a query, when they are opened: prompts and answers as they were.
import { useSignal } from '@preact/signals';
import { durationText } from '../../duration-text.ts';
import type { RunState, SavedCall } from '../../sdk/index.ts';
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

interface PageProps {
  session: Session;
  id: string;
  stepIndex: number;
  /** Where the page begins; the first one has none. */
  cursor?: string;
}

/** A page of calls, and those after it as they are asked for. */
function Calls({ cursor, ...props }: PageProps) {
  const goesOn = useSignal(false);
  const query = { step_index: props.stepIndex, ...(cursor !== undefined && { cursor }) };
  const page = useResource(`${props.id} ${JSON.stringify(query)}`, async (signal) =>
    props.session.client.runs.calls(props.id, query, { signal }),
  );
  return (
    <Show resource={page}>
      {({ data, next_cursor }) => (
        <>
          {data.length === 0 && cursor === undefined && <p class="quiet">None yet.</p>}
          {data.map((call, i) => (
            <Call key={i} call={call} />
          ))}
          {next_cursor !== null && goesOn.value && <Calls {...props} cursor={next_cursor} />}
          {next_cursor !== null && !goesOn.value && (
            <button type="button" onClick={() => (goesOn.value = true)}>
              Show more calls
            </button>
          )}
        </>
      )}
    </Show>
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
