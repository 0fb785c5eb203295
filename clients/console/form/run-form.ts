// The form of a new run: what is written, what is wrong with it, what the service thinks of it, and sending it once.
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type CreatedRun, type CreateRun, isApiError, type RunCheck } from '../../sdk/index.ts';
import { CreateRunSchema } from '../contract.ts';
import { freshKey } from '../fresh-key.ts';
import type { Session } from '../session.ts';
import { bodyOf, type Draft, draftOf, type Kind, valueAt, withMember } from '../view-models/draft.ts';
import { type Issue, issueAt, localIssues, refusedFields } from '../view-models/issues.ts';

/** What is sent, or why nothing can be. */
interface Written {
  body: unknown;
  /** The body as text, by which a check knows what it was about. */
  text: string;
  issues: Issue[];
}

/** What the service said to a body. */
interface Verdict {
  text: string;
  check?: RunCheck;
  error?: unknown;
}

export class RunForm {
  readonly kind: Signal<Kind>;
  readonly draft: Signal<Draft>;
  /** The request as text, where that is what is edited. */
  readonly json: Signal<string>;
  /** What is sent, checked by the contract. */
  readonly written: ReadonlySignal<Written>;
  /** What is known to be wrong with it. */
  readonly issues: ReadonlySignal<Issue[]>;
  /** Fields that were edited: only of these, issues are shown before the first try to send. */
  readonly #edited = signal<ReadonlySet<string>>(new Set());
  readonly #tried = signal(false);
  readonly #verdict = signal<Verdict | undefined>(undefined);
  readonly session: Session;
  /** What the other forms held when text that is no JSON was left: while they hold the same, that text is what was written last. */
  #leftUnread: Draft | undefined;
  /** The same on every try, so that a reply that was lost does not make a second run. */
  #idempotencyKey = freshKey();

  constructor(session: Session, kind: Kind, draft: Draft, json: string) {
    this.session = session;
    this.kind = signal(kind);
    this.draft = signal(draft);
    this.json = signal(json);
    this.written = computed(() => this.#write());
    this.issues = computed(() => [...this.written.value.issues, ...refusedFields(this.verdict.value?.error)]);
  }

  /** What the service said to what is written now; undefined before it was asked. */
  readonly verdict: ReadonlySignal<Verdict | undefined> = computed(() => {
    const verdict = this.#verdict.value;
    return verdict?.text === this.written.value.text ? verdict : undefined;
  });

  #write(): Written {
    if (this.kind.value !== 'json') return checked(bodyOf(this.kind.value, this.draft.value));
    try {
      return checked(JSON.parse(this.json.value));
    } catch (error) {
      const message = `This is no JSON: ${error instanceof Error ? error.message : error}`;
      return { body: undefined, text: this.json.value, issues: [{ path: 'json', message }] };
    }
  }

  /** Goes to another kind; what is written as JSON goes along, both ways. */
  show(kind: Kind): void {
    const before = this.kind.peek();
    if (before === kind) return;
    const draft = this.draft.peek();
    if (before === 'json') {
      const { body } = this.written.peek();
      if (body === undefined) this.#leftUnread = draft;
      else this.draft.value = { ...draft, ...draftOf(body).draft };
    } else if (kind === 'json' && draft !== this.#leftUnread)
      this.json.value = JSON.stringify(bodyOf(before, draft), undefined, 2);
    this.kind.value = kind;
  }

  at(path: string): unknown {
    return valueAt(this.draft.value, path);
  }

  /** Changes a member; undefined takes it away. */
  set(path: string, value: unknown): void {
    this.draft.value = withMember(this.draft.value, path, value);
    this.edit(path);
  }

  edit(path: string): void {
    this.#edited.value = new Set(this.#edited.value).add(path);
  }

  /** What is wrong with a field, once it is time to say so. */
  issueAt(path: string): Issue | undefined {
    const told = this.#tried.value || this.#edited.value.has(path);
    return told ? issueAt(this.issues.value, path) : undefined;
  }

  /** Issues of fields that no form shows. */
  get told(): boolean {
    return this.#tried.value;
  }

  /** Asks the service for its verdict, unless the contract has one already. */
  async check(signal: AbortSignal): Promise<void> {
    const { text, issues } = this.written.peek();
    if (issues.length > 0 || this.verdict.peek()) return;
    const verdict = await this.#judged(text, signal);
    // What came of sending it meanwhile says more.
    if (!signal.aborted && !this.verdict.peek()) this.#verdict.value = verdict;
  }

  /** Nothing where no answer came: the service is asked again when it is there. */
  async #judged(text: string, signal: AbortSignal): Promise<Verdict | undefined> {
    try {
      const check = await this.session.client.runs.check(JSON.parse(text), { signal, maxRetries: 0 });
      return { text, check };
    } catch (error) {
      return isApiError(error) ? { text, error } : undefined;
    }
  }

  /** Creates the run; undefined when something is wrong, which the verdict or the issues then say. */
  async send(): Promise<CreatedRun | undefined> {
    this.#tried.value = true;
    const { text, body, issues } = this.written.peek();
    if (issues.length > 0) return undefined;
    try {
      const options = { idempotencyKey: this.#idempotencyKey, maxRetries: 0 };
      // The contract has checked it.
      return await this.session.client.runs.create(body as CreateRun, options);
    } catch (error) {
      this.#verdict.value = { text, error };
      return undefined;
    }
  }

  /** The next try is another request: the last one, of other content, made a run though its reply was lost. */
  renew(): void {
    this.#idempotencyKey = freshKey();
  }
}

function checked(body: unknown): Written {
  const { error } = CreateRunSchema.safeParse(body);
  return { body, text: JSON.stringify(body), issues: localIssues(error?.issues ?? [], body) };
}

export const FormContext = createContext<RunForm | undefined>(undefined);

/** The form that the component is in. Throws Error outside of one. */
export function useForm(): RunForm {
  const form = useContext(FormContext);
  if (!form) throw new Error('a field stands in no form');
  return form;
}
