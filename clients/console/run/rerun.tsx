// Starts a new run at a step of this one, optionally with a changed config.
import type { RunConfig, RunState, Scope, StepState } from '../../sdk/index.ts';
import { useKeyOf } from '../fresh-key.ts';
import { ActionForm } from '../parts/action.tsx';
import { DialogButton } from '../parts/dialog-button.tsx';
import { go, link } from '../router.ts';
import { allows, type Session } from '../session.ts';
import { inFlight } from '../view-models/run-rows.ts';
import { scopedFlags } from '../view-models/scoped-flags.ts';

interface Props {
  session: Session;
  run: RunState;
  step: StepState;
}

/** Shown for each step that the service would rerun from. */
export function RerunButton({ session, run, step }: Props) {
  const earlier = run.steps.filter(({ index }) => index < step.index);
  const ready = earlier.every(({ status }) => status === 'completed' || status === 'skipped');
  // A canceled run's current step is still running.
  const ended = !inFlight(run) && run.steps.every(({ status }) => status !== 'running');
  // The service refuses the rerun of a query; its plan can be edited and sent as a new run.
  const isQuery = run.input.input_type === 'query';
  if (!ended || !ready || isQuery || !allows(session, 'runs:create')) return null;
  return (
    <DialogButton text={`Rerun from step ${step.index + 1}`}>
      {() => <RerunForm session={session} run={run} step={step} />}
    </DialogButton>
  );
}

function RerunForm({ session, run, step }: Props) {
  const keyOf = useKeyOf();
  const { config } = run;
  const shown = flags.filter(({ scope }) => scope === undefined || allows(session, scope));
  const rerun = async (fields: FormData) => {
    const body = { step_index: step.index, config: configOf(config, shown, fields) };
    const { id } = await session.client.runs.rerun(run.id, body, { idempotencyKey: keyOf(body) });
    go(link(`runs/${id}`));
  };
  return (
    <ActionForm act={rerun} confirm="Start the rerun" doing="Starting…">
      <p>A new run reuses the output of the steps before “{step.title}” and repeats the rest.</p>
      {shown.map(({ name, does, byDefault = false }) => (
        <label class="check" key={name}>
          <input name={name} type="checkbox" defaultChecked={config[name] ?? byDefault} /> {does}
        </label>
      ))}
      <label>
        Fail when the cost reaches, USD
        <input name="max_cost_usd" inputMode="decimal" defaultValue={String(config.max_cost_usd ?? '')} />
      </label>
      <label>
        Notify this https address when the run ends
        <input name="callback_url" type="url" defaultValue={config.callback_url ?? ''} />
      </label>
    </ActionForm>
  );
}

interface Flag {
  name: 'strict_mode' | (typeof scopedFlags)[number]['name'];
  does: string;
  scope?: Scope;
  byDefault?: boolean;
}
const flags: readonly Flag[] = [
  { name: 'strict_mode', does: 'Refuse an ambiguous query', byDefault: true },
  ...scopedFlags,
];

/** The config of the run with what the form changes. */
function configOf(config: RunConfig, shown: readonly Flag[], fields: FormData): RunConfig {
  const { max_cost_usd: _, callback_url: __, ...rest } = config;
  const text = (name: string) => String(fields.get(name)).trim();
  const changed = shown.filter(
    ({ name, byDefault = false }) => fields.has(name) !== (config[name] ?? byDefault),
  );
  return {
    ...rest,
    ...Object.fromEntries(changed.map(({ name }) => [name, fields.has(name)])),
    ...(text('max_cost_usd') !== '' && { max_cost_usd: Number(text('max_cost_usd')) }),
    ...(text('callback_url') !== '' && { callback_url: text('callback_url') }),
  };
}
