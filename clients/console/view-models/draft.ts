// A run request being edited: its members by wire name, and the functions that change them.

/** The kinds of input; each has its own form, `json` is the raw request. */
export type Kind = 'query' | 'plan' | 'dossier' | 'json';

/**
 * Members of a request (`query`, `plan`, `params`, `output_schema`, `config`, `metadata`, `callback_url`), including
 * those of hidden kinds. Steps also have a `key`.
 */
export type Draft = Readonly<Record<string, unknown>>;

type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a dotted path; undefined if absent. */
export function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return undefined;
    here = Reflect.get(here, name);
  }
  return here;
}

/** The value with another member at a dotted path; undefined removes the member and the objects left empty. */
function withValue(value: unknown, path: string, next: unknown): unknown {
  const dot = path.indexOf('.');
  const name = dot < 0 ? path : path.slice(0, dot);
  const changed = (inner: unknown) => (dot < 0 ? next : withValue(inner, path.slice(dot + 1), next));
  if (Array.isArray(value)) return value.with(Number(name), changed(value[Number(name)]));
  const { [name]: inner, ...others } = isObject(value) ? value : {};
  const made = changed(inner);
  if (made === undefined || (isObject(made) && Object.keys(made).length === 0)) return others;
  return isObject(value) && name in value ? { ...value, [name]: made } : { ...others, [name]: made };
}

/** The draft with another member. */
export const withMember = (draft: Draft, path: string, next: unknown): Draft => {
  const made = withValue(draft, path, next);
  return isObject(made) ? made : draft;
};

const common = ['config', 'metadata', 'callback_url'] as const;
/** Those of a query or a plan. */
const answered = ['output_schema', ...common] as const;

/** The request of a draft. */
export function bodyOf(kind: Exclude<Kind, 'json'>, draft: Draft): JsonObject {
  const names = kind === 'dossier' ? common : answered;
  const shared = Object.fromEntries(
    names.flatMap((name) => (draft[name] === undefined ? [] : [[name, draft[name]]])),
  );
  if (kind === 'query') return { input_type: 'query', query: draft.query ?? '', ...shared };
  if (kind === 'plan') return { input_type: 'plan', plan: sentPlan(draft.plan ?? {}), ...shared };
  return { input_type: 'preset', preset: 'dossier', params: draft.params ?? {}, ...shared };
}

/** The draft of a request, and its form; `json` if no other form fits. */
export function draftOf(body: unknown): { kind: Kind; draft: Draft } {
  if (!isObject(body)) return { kind: 'json', draft: {} };
  const { input_type, preset: _, plan, ...members } = body;
  const kinds: Readonly<Record<string, Kind>> = { query: 'query', plan: 'plan', preset: 'dossier' };
  const kind =
    typeof input_type === 'string' && Object.hasOwn(kinds, input_type) ? kinds[input_type] : undefined;
  const edited = editedPlan(plan);
  if (plan !== undefined && !edited) return { kind: 'json', draft: members };
  return { kind: kind ?? 'json', draft: { ...members, ...(edited && { plan: edited }) } };
}

/** A step with a key that it keeps when moved. */
export type DraftStep = JsonObject & { key: number };

/** Params that name other steps. */
const references = ['steps_to_filter', 'steps_to_transform', 'context_step_ids'] as const;

/** The steps of a draft's plan. */
export function stepsOf(draft: Draft): DraftStep[] {
  const steps = valueAt(draft, 'plan.steps');
  return Array.isArray(steps) ? steps : [];
}

/** The draft with other steps; references follow a step from its old index to its new one (undefined: removed). */
function withSteps(draft: Draft, steps: DraftStep[], newIndexOf: (old: number) => number | undefined): Draft {
  return withMember(
    draft,
    'plan.steps',
    steps.map((step) => withReferences(step, newIndexOf)),
  );
}

function withReferences<S extends JsonObject>(step: S, newIndexOf: (old: number) => number | undefined): S {
  let params = step.params;
  for (const name of references) {
    const named = valueAt(params, name);
    if (!Array.isArray(named)) continue;
    const positions = named.flatMap((old) => (typeof old === 'number' ? (newIndexOf(old) ?? []) : [old]));
    params = withValue(params, name, positions.length > 0 ? positions : undefined);
  }
  const { params: _, ...others } = step;
  const empty = params === undefined || (isObject(params) && Object.keys(params).length === 0);
  return (empty ? others : { ...step, params }) as S;
}

/** The draft with a step appended, under a placeholder title. */
export function withStep(draft: Draft, kind: string, title: string): Draft {
  const steps = stepsOf(draft);
  const key = Math.max(0, ...steps.map((step) => step.key)) + 1;
  return withMember(draft, 'plan.steps', [...steps, { key, kind, title }]);
}

/** The draft without a step. */
export function withoutStep(draft: Draft, at: number): Draft {
  const newIndex = (old: number) => (old === at ? undefined : old > at ? old - 1 : old);
  return withSteps(draft, stepsOf(draft).toSpliced(at, 1), newIndex);
}

/** The draft with a step moved. */
export function withStepMoved(draft: Draft, from: number, to: number): Draft {
  const steps = stepsOf(draft);
  const step = steps[from];
  if (!step || to < 0 || to >= steps.length) return draft;
  const order = steps
    .map((_, i) => i)
    .toSpliced(from, 1)
    .toSpliced(to, 0, from);
  return withSteps(draft, steps.toSpliced(from, 1).toSpliced(to, 0, step), (old) =>
    order.includes(old) ? order.indexOf(old) : old,
  );
}

function sentPlan(plan: unknown): unknown {
  const steps = valueAt(plan, 'steps');
  if (!isObject(plan) || !Array.isArray(steps)) return plan;
  return { ...plan, steps: steps.map(({ key: _, ...step }: DraftStep) => step) };
}

/** A plan as edited: steps referenced by index, each with a key; undefined for anything unlike a plan. */
function editedPlan(plan: unknown): JsonObject | undefined {
  const steps = valueAt(plan, 'steps');
  if (!isObject(plan) || !Array.isArray(steps) || !steps.every(isObject)) return undefined;
  const positions = new Map(steps.map((step, position) => [step.index ?? position, position]));
  const edited = steps.map((step, key) => {
    const { index: _, ...members } = withReferences(step, (old) => positions.get(old) ?? old);
    return { ...members, key };
  });
  return { ...plan, steps: edited };
}
