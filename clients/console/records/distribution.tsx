// How the values of one field are distributed over the records that are shown: one grouped question, asked on request.
import type { EntityType, StepItem } from '../../sdk/index.ts';
import { BarsChart } from '../chart/bars-chart.tsx';
import { ColumnsChart } from '../chart/columns-chart.tsx';
import { Choice } from '../parts/choice.tsx';
import { Show } from '../parts/show.tsx';
import { useResource } from '../resource.ts';
import { go, here } from '../router.ts';
import type { Session } from '../session.ts';
import {
  type Cut,
  canBeDistributed,
  conditionOfValue,
  cutOf,
  cutText,
  datesChart,
  type Group,
  groupsOf,
  MOST_VALUES,
  numbersChart,
  periodsOf,
  readGroups,
  withoutValue,
} from '../view-models/distribution.ts';
import { counted, labelOf } from '../view-models/figures.ts';
import { addressOf, type RecordView, selectionOf, titleOf } from '../view-models/record-view.ts';
import { fetched, matchedIn } from './fetched.ts';

interface Props {
  session: Session;
  type: EntityType;
  view: RecordView;
  /** Of the address: the field, and the period of its dates. */
  chosen: { field: string | undefined; by: string | undefined };
}

export function Distribution({ session, type, view, chosen }: Props) {
  const fields = type.fields.filter(canBeDistributed);
  const field = fields.find((one) => one.field === chosen.field);
  return (
    <section aria-labelledby="distribution">
      <h2 id="distribution">Distribution</h2>
      <p class="row">
        <Choice
          aria-label="Field to see the values of"
          all="Choose a field"
          options={fields.map((one) => [one.field, labelOf(one.field)])}
          value={field?.field}
          onChoose={(next) => go(here({ field: next || undefined, by: undefined }), { replace: true })}
        />
        {field && periodsOf(field).length > 1 && (
          <Choice
            aria-label="Period"
            options={periodsOf(field).map((period) => [period, `by ${period}`])}
            value={byOf(cutOf(field, chosen.by))}
            onChoose={(by) => go(here({ by }), { replace: true })}
          />
        )}
      </p>
      {field && (
        <OfField
          key={field.field}
          session={session}
          type={type}
          view={view}
          field={field}
          cut={cutOf(field, chosen.by)}
        />
      )}
    </section>
  );
}

const byOf = (cut: Cut) => (cut.kind === 'dates' ? cut.by : undefined);

interface OfFieldProps extends Omit<Props, 'chosen'> {
  field: EntityType['fields'][number];
  cut: Cut;
}

function OfField({ session, type, view, field: { field }, cut }: OfFieldProps) {
  const params = groupsOf(selectionOf(view, type), field, cut);
  const groups = useResource(JSON.stringify(params), async (signal) => {
    const run = await fetched(session, `Distribution: ${field} of ${titleOf(view, type)}`, [params], signal);
    const { data } = await session.client.runs.items(run.id, 0, { limit: ITEMS_READ }, { signal });
    return { items: data, matched: matchedIn(run, 0) };
  });
  return (
    <Show resource={groups}>
      {(found) => <Drawn {...found} field={field} cut={cut} type={type} view={view} />}
    </Show>
  );
}

/** At most that many groups are asked for. */
const ITEMS_READ = 100;

interface DrawnProps {
  items: readonly StepItem[];
  /** How many groups there are. */
  matched: number;
  field: string;
  cut: Cut;
  type: EntityType;
  view: RecordView;
}

function Drawn({ items, matched, field, cut, type, view }: DrawnProps) {
  const groups = readGroups(items, field);
  if (groups.length === 0) return <p>No record is shown.</p>;
  const title = `${labelOf(field)}${cutText(cut)}: ${titleOf(view, type)}`;
  const without = withoutValue(groups);
  return (
    <>
      {cut.kind === 'numbers' && <ColumnsChart title={title} data={numbersChart(groups, field, cut)} />}
      {cut.kind === 'dates' && <ColumnsChart title={title} data={datesChart(groups, field)} />}
      {cut.kind === 'values' && <Values title={title} groups={groups} field={field} view={view} />}
      {cut.kind === 'values' && matched > groups.length && (
        <p class="quiet">
          The {MOST_VALUES} most frequent of {counted(matched, 'value')}.
        </p>
      )}
      {cut.kind !== 'values' && without > 0 && <p class="quiet">{counted(without, 'record')} without.</p>}
    </>
  );
}

interface ValuesProps extends Pick<DrawnProps, 'field' | 'view'> {
  title: string;
  groups: readonly Group[];
}

/** Each value leads to its records. */
function Values({ title, groups, field, view }: ValuesProps) {
  return (
    <BarsChart
      title={title}
      heads={[labelOf(field), 'Records']}
      write={(count) => count.toLocaleString('en')}
      bars={groups.map((group) => {
        const label = group.value === undefined ? '(none)' : String(group.value);
        const conditions = [...view.conditions, conditionOfValue(field, group)];
        const content = <a href={here(addressOf.conditions(conditions))}>{label}</a>;
        return { label, content, value: group.count };
      })}
    />
  );
}
