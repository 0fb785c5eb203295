// The state of the new-run form: the request, its issues, the service's verdict, and submitting it once.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import {
  type CreatedRun,
  type CreateRun,
  type EntityType,
  isApiError,
  type RunCheck,
  type Source,
} from '../../sdk/index.ts';
import { CreateRunSchema } from '../contract.ts';
import { freshKey } from '../fresh-key.ts';
import type { Session } from '../session.ts';
import { bodyOf, type Draft, draftOf, type Kind, valueAt, withMember } from '../view-models/draft.ts';
import { type Issue, issueAt, localIssues, refusedFields } from '../view-models/issues.ts';
import { fieldsOf } from '../view-models/outline.ts';

/** What will be sent, or why nothing can be. */
interface Written {
  body: unknown;
  /** The body as text, which identifies it to a check. */
  text: string;
  issues: Issue[];
}

/** The service's verdict on a body. */
interface Verdict {
  text: string;
  check?: RunCheck;
  error?: unknown;
}

/** The form's initial content. */
export interface Start {
  kind: Kind;
  draft: Draft;
  json: string;
  types: ReadonlySignal<readonly EntityType[]>;
  sources: ReadonlySignal<readonly Source[]>;
}

/** A field that shows its issue. */
interface ShowsIssue {
  path: string;
  /** It does not show the issues of its parts. */
  isWhole: boolean;
}

/** The sources that every workspace has; the types of its records are others. */
const SOURCES = ['entities', 'notes', 'relationships', 'artifacts'];

export class RunForm {
  readonly kind: Signal<Kind>;
  readonly draft: Signal<Draft>;
  /** The request as text, when that is edited. */
  readonly json: Signal<string>;
  /** What will be sent, checked by the contract. */
  readonly written: ReadonlySignal<Written>;
  /** Its known issues. */
  readonly issues: ReadonlySignal<Issue[]>;
  /** The issues that no field on the page shows. */
  readonly unshown: ReadonlySignal<Issue[]>;
  readonly #fields = signal<readonly ShowsIssue[]>([]);
  /** Edited fields: before the first attempt to submit, only their issues are shown. */
  readonly #edited = signal<ReadonlySet<string>>(new Set());
  /** Whether it was sent: then every issue is shown. */
  readonly tried = signal(false);
  readonly #verdict = signal<Verdict | undefined>(undefined);
  readonly session: Session;
  /** The other forms' draft when invalid JSON was left: while it is unchanged, that text is the latest version. */
  #abandonedDraft: Draft | undefined;
  /** Reused by every attempt, so that a lost reply does not create a second run. */
  #idempotencyKey = freshKey();

  /** The types and fields of the workspace, offered while typing. */
  readonly types: ReadonlySignal<readonly EntityType[]>;
  /** Its live sources. */
  readonly sources: ReadonlySignal<readonly Source[]>;

  constructor(session: Session, start: Start) {
    const { kind, draft, json, types, sources } = start;
    this.session = session;
    this.types = types;
    this.sources = sources;
    this.kind = signal(kind);
    this.draft = signal(draft);
    this.json = signal(json);
    this.written = computed(() => this.#write());
    this.issues = computed(() => [...this.written.value.issues, ...refusedFields(this.verdict.value?.error)]);
    this.unshown = computed(() => {
      const shown = new Set(this.#fields.value.map((field) => this.shownBy(field)));
      return this.issues.value.filter((issue) => !shown.has(issue));
    });
  }

  /** The service's verdict on the current request; undefined until it is asked. */
  readonly verdict: ReadonlySignal<Verdict | undefined> = computed(() => {
    const verdict = this.#verdict.value;
    return verdict?.text === this.written.value.text ? verdict : undefined;
  });

  #write(): Written {
    if (this.kind.value !== 'json') return checked(bodyOf(this.kind.value, this.draft.value));
    try {
      const body: unknown = JSON.parse(this.json.value);
      // The service judges it, in the words that a program gets.
      return { body, text: JSON.stringify(body), issues: [] };
    } catch (error) {
      const message = `This is not valid JSON: ${error instanceof Error ? error.message : error}`;
      return { body: undefined, text: this.json.value, issues: [{ path: 'json', message }] };
    }
  }

  /** Switches to another kind, whose issues are shown when they are due; JSON text is carried over both ways. */
  show(kind: Kind): void {
    const before = this.kind.peek();
    if (before === kind) return;
    this.tried.value = false;
    this.#edited.value = new Set();
    const draft = this.draft.peek();
    if (before === 'json') {
      const { body } = this.written.peek();
      if (body === undefined) this.#abandonedDraft = draft;
      else this.draft.value = { ...draft, ...draftOf(body).draft };
    } else if (kind === 'json' && draft !== this.#abandonedDraft)
      this.json.value = JSON.stringify(bodyOf(before, draft), undefined, 2);
    this.kind.value = kind;
  }

  at(path: string): unknown {
    return valueAt(this.draft.value, path);
  }

  /** Sets a member; undefined removes it. */
  set(path: string, value: unknown): void {
    this.draft.value = withMember(this.draft.value, path, value);
    this.edit(path);
  }

  /** The elements of a list; none if it is absent. */
  listAt<T>(path: string): T[] {
    const found = this.at(path);
    return Array.isArray(found) ? found : [];
  }

  /** Sets a list, which is absent when it is empty. */
  setList(path: string, elements: readonly unknown[]): void {
    this.set(path, elements.length > 0 ? elements : undefined);
  }

  /** Adds a field that shows its issue; the result removes it. */
  addField(field: ShowsIssue): () => void {
    this.#fields.value = [...this.#fields.peek(), field];
    return () => {
      this.#fields.value = this.#fields.peek().filter((one) => one !== field);
    };
  }

  /** What may complete the text of a field: the sources of a step, or the fields of its source. */
  offersAt(path: string): string[] {
    const [, step, name = ''] = /^(plan\.steps\.\d+)\.params\.(?:.*\.)?(\w+)$/.exec(path) ?? [];
    const live = this.at(`${step}.kind`) === 'fetch' ? this.sources.value : [];
    if (name === 'source')
      return [...live.map((one) => one.name), ...this.types.value.map(({ type }) => type), ...SOURCES];
    if (name !== 'field' && name !== 'group_by') return [];
    const fields = this.liveSourceOf(step)?.fields;
    return fields?.map((field) => field.name) ?? fieldsOf(this.types.value, this.at(`${step}.params.source`));
  }

  /** The live source that the step at a path reads or asks. */
  liveSourceOf(step: string | undefined): Source | undefined {
    if (this.at(`${step}.kind`) !== 'fetch') return undefined;
    const named = this.at(`${step}.params.source`);
    return this.sources.value.find(({ name }) => name === named);
  }

  edit(path: string): void {
    this.#edited.value = new Set(this.#edited.value).add(path);
  }

  /** The issue of a field, once it may be shown. */
  issueAt(path: string): Issue | undefined {
    const isDue = this.tried.value || this.#edited.value.has(path);
    return isDue ? issueAt(this.issues.value, path) : undefined;
  }

  /** The issue that a field shows. */
  shownBy({ path, isWhole }: ShowsIssue): Issue | undefined {
    const issue = this.issueAt(path);
    return isWhole && issue?.path !== path ? undefined : issue;
  }

  /** Asks the service for its verdict, unless the contract already has one. */
  async check(signal: AbortSignal): Promise<void> {
    const { text, issues } = this.written.peek();
    if (issues.length > 0 || this.verdict.peek()) return;
    const verdict = await this.#judged(text, signal);
    // The result of submitting it in the meantime takes precedence.
    if (!signal.aborted && !this.verdict.peek()) this.#verdict.value = verdict;
  }

  /** Undefined without an answer: the check is repeated when the service is back. */
  async #judged(text: string, signal: AbortSignal): Promise<Verdict | undefined> {
    try {
      const check = await this.session.client.runs.check(JSON.parse(text), { signal, maxRetries: 0 });
      return { text, check };
    } catch (error) {
      return isApiError(error) ? { text, error } : undefined;
    }
  }

  /** Creates the run; undefined when it is refused, as the verdict or the issues then say. */
  async send(): Promise<CreatedRun | undefined> {
    this.tried.value = true;
    const { text, body, issues } = this.written.peek();
    if (issues.length > 0) return undefined;
    try {
      const options = { idempotencyKey: this.#idempotencyKey, maxRetries: 0 };
      // The contract or the service checks it.
      return await this.session.client.runs.create(body as CreateRun, options);
    } catch (error) {
      this.#verdict.value = { text, error };
      return undefined;
    }
  }

  /** Makes the next attempt a new request: the last one created a run with other content, but its reply was lost. */
  renew(): void {
    this.#idempotencyKey = freshKey();
  }
}

function checked(body: unknown): Written {
  const { error } = CreateRunSchema.safeParse(body);
  return { body, text: JSON.stringify(body), issues: localIssues(error?.issues ?? [], body) };
}

export const FormContext = createContext<RunForm | undefined>(undefined);

/** The issue of a field, which is then shown nowhere else. */
export function useIssue(path: string, { isWhole = false } = {}): Issue | undefined {
  const form = useForm();
  useEffect(() => form.addField({ path, isWhole }), [form, path, isWhole]);
  return form.shownBy({ path, isWhole });
}

/** The form around the component. Throws Error outside one. */
export function useForm(): RunForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('a field stands in no form');
  return form;
}
