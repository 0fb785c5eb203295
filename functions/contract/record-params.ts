// The rules for conditions, sorts and groups that involve several params of a step (rules.md: records 12).
import {
  DEFAULT_MEASURE,
  type FieldSort,
  fieldOfGroup,
  type Measure,
  sameField,
} from '#contract/conditions.ts';
import type { Issue } from '#contract/issue.ts';
import type { PlanStep } from '#contract/plans.ts';
import type { ParamsOf } from '#contract/steps.ts';
import { isListed } from './source-names.ts';

type Path = (string | number)[];

/** The issues of a step whose params are at `path`. */
export function checkRecordParams(step: PlanStep, path: Path): Issue[] {
  switch (step.kind) {
    case 'fetch':
      return [...checkSource(step.params ?? {}, path), ...checkGroups(step.params ?? {}, path)];
    case 'vector_search':
      return checkSource(step.params ?? {}, path);
    default:
      return [];
  }
}

/** Only records have fields for a condition. */
function checkSource(
  { source = 'entities', where, sort, group_by, measures }: ParamsOf<'fetch'>,
  path: Path,
): Issue[] {
  if (!isListed(source)) return [];
  const given = { where, sort: typeof sort === 'string' ? undefined : sort, group_by, measures };
  return Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name]) =>
      issue([...path, name], 'a source of records', source, `The source ${source} does not take ${name}`),
    );
}

function checkGroups({ sort, group_by, measures }: ParamsOf<'fetch'>, path: Path): Issue[] {
  if (!group_by && !measures) return [];
  const grouped = (group_by ?? []).map(fieldOfGroup);
  return [
    ...checkRepeated(grouped, path),
    ...(measures ? checkMeasures(measures, grouped, path) : checkDefault(grouped, path)),
    ...(typeof sort === 'object' ? checkSort(sort, grouped, { measures, path }) : []),
  ];
}

/** A field that is grouped twice would pair each element of a list with every other. */
function checkRepeated(groupBy: string[], path: Path): Issue[] {
  return groupBy.flatMap((field, i) => {
    if (!groupBy.slice(0, i).some((other) => sameField(other, field))) return [];
    return [issue([...path, 'group_by', i], 'another field', field, 'The field is grouped already')];
  });
}

function checkMeasures(measures: Measure[], groupBy: string[], path: Path): Issue[] {
  return measures.flatMap(({ as }, i) => {
    const before = measures.slice(0, i).some((other) => other.as === as);
    if (!before && !groupBy.includes(as)) return [];
    const message = before ? 'An earlier measure has this name' : 'A grouped field has this name';
    return [issue([...path, 'measures', i, 'as'], 'a name of its own', as, message)];
  });
}

/** The default measure must not hide a grouped field. */
function checkDefault(groupBy: string[], path: Path): Issue[] {
  const at = groupBy.indexOf(DEFAULT_MEASURE.as);
  const message = 'The default measure has this name; choose another name in measures';
  return at < 0 ? [] : [issue([...path, 'group_by', at], 'measures', 'none', message)];
}

function checkSort(
  sort: FieldSort[],
  groupBy: string[],
  { measures = [DEFAULT_MEASURE], path }: Pick<ParamsOf<'fetch'>, 'measures'> & { path: Path },
): Issue[] {
  return sort.flatMap(({ field }, i) => {
    if (measures.some(({ as }) => as === field) || groupBy.some((other) => sameField(other, field)))
      return [];
    const message = 'Groups are sorted by grouped fields and measures';
    return [issue([...path, 'sort', i, 'field'], 'a grouped field or a measure', field, message)];
  });
}

function issue(path: Path, expected: string, received: string, message: string): Issue {
  return { code: 'custom', expected, received, path, message };
}
