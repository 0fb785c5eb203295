// The client: every call of the service, grouped by noun.
import { isApiError, RunFailed } from './errors.ts';
import { created, deleted, Group, listed } from './group.ts';
import {
  bodyOf,
  type CallOptions,
  type ClientOptions,
  type CreateOptions,
  checkedKey,
  MAX_RETRIES,
  type Send,
  sender,
} from './http.ts';
import { Jobs } from './job-calls.ts';
import { Monitors } from './monitor-calls.ts';
import { type Page, paged } from './paged-list.ts';
import type {
  Artifact,
  ArtifactLink,
  AuditEntry,
  AuditList,
  CreateArtifactLink,
  CreateKey,
  CreateRun,
  DeletedEntities,
  DeleteEntities,
  Delivery,
  Entity,
  EntityLine,
  EntityLink,
  EntityRef,
  EntityType,
  EventPage,
  ExportArtifact,
  FoundEntity,
  GetUsage,
  ImportEntities,
  ImportedEntities,
  Key,
  ListCalls,
  ListDeliveries,
  ListedRun,
  ListItems,
  ListRuns,
  Me,
  NewKey,
  Note,
  Plan,
  Redelivered,
  RerunRun,
  ResolveResult,
  ResumeRun,
  RotateKey,
  Row,
  Run,
  RunCheck,
  RunEvent,
  RunList,
  RunOutput,
  SavedCall,
  SavedCallList,
  SearchEntities,
  Source,
  StepItemList,
  Trace,
  UpdateEntity,
  UsageRow,
  WorkspaceDelivery,
  WorkspaceDeliveryList,
} from './types.ts';
import { Watch, type WatchOptions, type WatchSource } from './watch.ts';

/** A run, and whether an earlier request created it. */
export type CreatedRun<Data = RunData> = Run<Data> & { replayed: boolean };

/** The data of an answer whose type is not given. */
type RunData = RunOutput['data'];

/** The client of one workspace. Every call throws ApiError, ConnectionError, and its signal's reason. */
export class RunService {
  readonly runs: Runs;
  readonly artifacts: Artifacts;
  readonly notes: Notes;
  readonly entities: Entities;
  readonly deliveries: Deliveries;
  readonly monitors: Monitors;
  readonly jobs: Jobs;
  readonly sources: Sources;
  readonly keys: Keys;
  readonly audit: Audit;
  readonly #send: Send;

  /** Throws TypeError for an invalid `baseUrl`, and for an `apiKey` that is not set. */
  constructor(options: ClientOptions) {
    new URL(options.baseUrl);
    if (typeof options.apiKey !== 'function') checkedKey(options.apiKey);
    const send = sender(options);
    this.#send = send;
    this.runs = new Runs(send, options);
    this.artifacts = new Artifacts(send);
    this.notes = new Notes(send);
    this.entities = new Entities(send);
    this.deliveries = new Deliveries(send);
    this.monitors = new Monitors(send);
    this.jobs = new Jobs(send);
    this.sources = new Sources(send);
    this.keys = new Keys(send);
    this.audit = new Audit(send);
  }

  /** The key, its scopes and limits, and its workspace's usage. */
  me(options?: CallOptions): Promise<Me> {
    return bodyOf(this.#send, { method: 'GET', path: '/me' }, options);
  }

  /** What the runs of some days came to: how many, their cost, tokens and durations, by day unless `by` says else. */
  usage(query: GetUsage = {}, options?: CallOptions): Promise<UsageRow[]> {
    return listed(this.#send, '/usage', options, { ...query, by: query.by && [query.by].flat().join(',') });
  }
}

const runPath = (id: string, rest = '') => `/runs/${encodeURIComponent(id)}${rest}`;

class Runs extends Group {
  readonly #source: WatchSource;

  constructor(send: Send, options: ClientOptions) {
    super(send);
    this.#source = {
      send,
      // Called without an object: browsers refuse `fetch` as a method.
      fetch: (...request) => (options.fetch ?? fetch)(...request),
      baseUrl: options.baseUrl,
      maxRetries: options.maxRetries ?? MAX_RETRIES,
      get: (id, callOptions) => this.get(id, callOptions),
    };
  }

  /** Creates a run; it has not started when this returns. `Data` is the type that `output_schema` describes. */
  create<Data = RunData>(input: CreateRun, options: CreateOptions = {}): Promise<CreatedRun<Data>> {
    return created(this.send, { method: 'POST', path: '/runs', body: input }, options);
  }

  /** The same checks as `create`, and what the run would cost; creates nothing. */
  check(input: CreateRun, options?: CallOptions): Promise<RunCheck> {
    const query = { validate_only: 1 };
    return bodyOf(this.send, { method: 'POST', path: '/runs', query, body: input }, options);
  }

  /** The envelope of a run; with `plan` also the plan that it follows, and a query in words. */
  get<P extends boolean = false>(
    id: string,
    options: CallOptions & { plan?: P } = {},
  ): Promise<P extends true ? Run & { plan: Plan | null } : Run> {
    const query = { include: options.plan ? 'plan' : undefined };
    return bodyOf(this.send, { method: 'GET', path: runPath(id), query }, options);
  }

  /** The trace of a run in OTLP/JSON, as far as it has come. */
  trace(id: string, options?: CallOptions): Promise<Trace> {
    return bodyOf(this.send, { method: 'GET', path: runPath(id, '/trace') }, options);
  }

  /** The model calls of a run with `config.keep_calls`: `await` gives one page, `for await` all of them. */
  calls(id: string, query: ListCalls = {}, options?: CallOptions): Page<SavedCall, SavedCallList> {
    return paged(this.send, runPath(id, '/calls'), query, options);
  }

  /** What a step passed on, from `offset`; with `which: 'dropped'`, what a filter did not. */
  items(id: string, stepIndex: number, query: ListItems = {}, options?: CallOptions): Promise<StepItemList> {
    return bodyOf(
      this.send,
      { method: 'GET', path: runPath(id, `/steps/${stepIndex}/items`), query },
      options,
    );
  }

  /** Runs, newest first: `await` gives one page, `for await` all of them. */
  list(query: ListRuns = {}, options?: CallOptions): Page<ListedRun, RunList> {
    return paged(this.send, '/runs', query, options);
  }

  /** Cancels a run; its running step still ends and is billed. `settle` waits for the final envelope. */
  async cancel(id: string, options: CallOptions & { settle?: boolean } = {}): Promise<Run> {
    const run = await bodyOf<Run>(this.send, { method: 'POST', path: runPath(id, '/cancel') }, options);
    return options.settle ? this.wait(id, options) : run;
  }

  /** Continues a failed run. */
  async resume(id: string, body: ResumeRun = {}, options?: CallOptions): Promise<Run> {
    try {
      return await bodyOf<Run>(this.send, { method: 'POST', path: runPath(id, '/resume'), body }, options);
    } catch (error) {
      // An earlier attempt resumed the run, but its reply was lost.
      const earlier = isApiError(error, 'run_not_resumable') && error.attempts > 1;
      if (earlier && error.details.reason === 'in_progress') return this.get(id, options);
      throw error;
    }
  }

  /** Deletes an ended run for good, with all it has made. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return deleted(this.send, runPath(id), 'run_not_found', options);
  }

  /** A new run that reuses this run's outputs of the steps before `step_index`. */
  rerun(id: string, body: RerunRun, options: CreateOptions = {}): Promise<CreatedRun> {
    return created(this.send, { method: 'POST', path: runPath(id, '/rerun-from'), body }, options);
  }

  /** The events of a run as they happen, each once, in order, to the end of its log. */
  watch(id: string, options?: WatchOptions): Watch {
    return new Watch(this.#source, id, options);
  }

  /**
   * The final envelope, once the run has ended; `Data` as in `create`. With `throwOnFailure` throws RunFailed unless it
   * succeeded.
   */
  async wait<Data = RunData>(
    id: string,
    options: CallOptions & { throwOnFailure?: boolean } = {},
  ): Promise<Run<Data>> {
    const run = await this.watch(id, { signal: options.signal }).done();
    if (options.throwOnFailure && run.status !== 'succeeded') throw new RunFailed(run);
    // The service has checked the data against the schema, whose type only the caller knows.
    return run as Run<Data>;
  }

  /** The log of a run so far: `await` gives one page, `for await` all its events. */
  events(
    id: string,
    query: { cursor?: string; limit?: number } = {},
    options?: CallOptions,
  ): Page<RunEvent, EventPage> {
    return paged(this.send, runPath(id, '/events'), query, options);
  }
}

const artifactPath = (id: string) => `/artifacts/${encodeURIComponent(id)}`;

class Artifacts extends Group {
  /** An artifact with its content; with `links` also the records it is about. */
  get<L extends boolean = false>(
    id: string,
    options: CallOptions & { links?: L } = {},
  ): Promise<L extends true ? Artifact & { entity_refs: EntityLink[] } : Artifact> {
    const query = { include: options.links ? 'links' : undefined };
    return bodyOf(this.send, { method: 'GET', path: artifactPath(id), query }, options);
  }

  /**
   * The rows of a table; with `plain` without links and escapes, the id of the record in `_record`. Throws TypeError,
   * or with `plain` ApiError, for other kinds of artifacts.
   */
  async *rows(
    id: string,
    { plain, ...options }: CallOptions & { plain?: boolean } = {},
  ): AsyncGenerator<Row, void, undefined> {
    if (plain) {
      const lines = await this.export(id, { format: 'jsonl' }, options);
      for (const line of lines.split('\n')) if (line) yield JSON.parse(line);
      return;
    }
    const artifact: Artifact = await this.get(id, options);
    if (artifact.kind !== 'table') throw new TypeError(`The artifact ${id} is not a table: ${artifact.kind}`);
    yield* artifact.rows;
  }

  /** A table as CSV (RFC 4180), without the formulas of spreadsheets. */
  csv(id: string, options?: CallOptions): Promise<string> {
    return this.export(id, { format: 'csv' }, options);
  }

  /** An artifact, or a part of a table, as text in a format of its kind. */
  export(id: string, query: ExportArtifact, options?: CallOptions): Promise<string> {
    return bodyOf(this.send, { method: 'GET', path: artifactPath(id), query, text: true }, options);
  }

  /** An address at which anyone can read the artifact for a while. */
  link(id: string, body: CreateArtifactLink = {}, options?: CallOptions): Promise<ArtifactLink> {
    return bodyOf(this.send, { method: 'POST', path: `${artifactPath(id)}/links`, body }, options);
  }
}

class Notes extends Group {
  /** A note written by a run. */
  get(id: string, options?: CallOptions): Promise<Note> {
    return bodyOf(this.send, { method: 'GET', path: `/notes/${encodeURIComponent(id)}` }, options);
  }
}

class Entities extends Group {
  /** The records of references, in their order; an unknown one has `resolved: false`. */
  async resolve(refs: EntityRef | EntityRef[], options?: CallOptions): Promise<ResolveResult[]> {
    const query = { refs: JSON.stringify([refs].flat()) };
    const call = { method: 'GET', path: '/entities/resolve', query } as const;
    return (await bodyOf<{ results: ResolveResult[] }>(this.send, call, options)).results;
  }

  /** The types of the workspace's records, with their fields. */
  types(options?: CallOptions): Promise<EntityType[]> {
    return listed(this.send, '/entities/types', options);
  }

  /** A record with its newest relationships. */
  get(id: string, options?: CallOptions): Promise<Entity> {
    return bodyOf(this.send, { method: 'GET', path: `/entities/${encodeURIComponent(id)}` }, options);
  }

  /** Records by the words of their names, best first. */
  search(query: SearchEntities = {}, options?: CallOptions): Promise<FoundEntity[]> {
    return listed(this.send, '/entities', options, query);
  }

  /** Saves 1 to 1,000 lines as records; wrong ones are left out and named. The same lines again change nothing. */
  import(
    records: EntityLine[],
    { update, dry_run, ...options }: CallOptions & Pick<ImportEntities, 'update' | 'dry_run'> = {},
  ): Promise<ImportedEntities> {
    const body = {
      records,
      ...(update !== undefined && { update }),
      ...(dry_run !== undefined && { dry_run }),
    };
    return bodyOf(this.send, { method: 'POST', path: '/entities/import', body }, options);
  }

  /** Changes what the body names; fields are merged, and null takes one away. */
  update(id: string, body: UpdateEntity, options?: CallOptions): Promise<Entity> {
    return bodyOf(this.send, { method: 'PATCH', path: `/entities/${encodeURIComponent(id)}`, body }, options);
  }

  /** Deletes a record with its relationships. */
  delete(id: string, options?: CallOptions): Promise<void> {
    return deleted(this.send, `/entities/${encodeURIComponent(id)}`, 'entity_not_found', options);
  }

  /** Deletes up to 1,000 records for which all holds that the body names; with `has_more`, call again. */
  deleteMany(body: DeleteEntities, options?: CallOptions): Promise<DeletedEntities> {
    return bodyOf(this.send, { method: 'POST', path: '/entities/delete', body }, options);
  }
}

class Deliveries extends Group {
  /** The webhooks of a run, with every attempt. */
  list(runId: string, options?: CallOptions): Promise<Delivery[]> {
    return listed(this.send, runPath(runId, '/webhook-deliveries'), options);
  }

  /** Sends a webhook again. */
  redeliver(runId: string, eventId: string, options?: CallOptions): Promise<Delivery> {
    const path = runPath(runId, `/webhook-deliveries/${encodeURIComponent(eventId)}/redeliver`);
    return bodyOf(this.send, { method: 'POST', path }, options);
  }

  /** The webhooks of all runs, newest first: `await` gives one page, `for await` all of them. */
  all(query: ListDeliveries = {}, options?: CallOptions): Page<WorkspaceDelivery, WorkspaceDeliveryList> {
    return paged(this.send, '/webhook-deliveries', query, options);
  }

  /** Sends failed webhooks again, oldest first, at most 100. */
  redeliverAll(
    range: { created_after?: number; created_before?: number } = {},
    options?: CallOptions,
  ): Promise<Redelivered> {
    const body = { status: 'failed', ...range };
    return bodyOf(this.send, { method: 'POST', path: '/webhook-deliveries/redeliver', body }, options);
  }
}

class Keys extends Group {
  /** The keys of the workspace, newest first, without their texts. */
  list(options?: CallOptions): Promise<Key[]> {
    return listed(this.send, '/keys', options);
  }

  /** Creates a key. Not retried: if the reply is lost, revoke the key that the list then has. */
  create(body: CreateKey, options?: CallOptions): Promise<NewKey> {
    return bodyOf(this.send, { method: 'POST', path: '/keys', body }, { maxRetries: 0, ...options });
  }

  /** Replaces a key; both work during the grace. Not retried, like `create`. */
  rotate(id: string, body: RotateKey = {}, options?: CallOptions): Promise<NewKey> {
    const path = `/keys/${encodeURIComponent(id)}/rotate`;
    return bodyOf(this.send, { method: 'POST', path, body }, { maxRetries: 0, ...options });
  }

  /** Revokes a key at once. */
  revoke(id: string, options?: CallOptions): Promise<void> {
    return bodyOf(this.send, { method: 'DELETE', path: `/keys/${encodeURIComponent(id)}` }, options);
  }
}

class Audit extends Group {
  /** Who did what in the workspace, newest first: `await` gives one page, `for await` all entries. */
  list(query: { cursor?: string; limit?: number } = {}, options?: CallOptions): Page<AuditEntry, AuditList> {
    return paged(this.send, '/audit', query, options);
  }
}

class Sources extends Group {
  /** The live sources of the workspace, by name. */
  list(options?: CallOptions): Promise<Source[]> {
    return listed(this.send, '/sources', options);
  }
}
