// Short names for the API's types: aliases over the types of its OpenAPI document.
import type { components, operations } from './openapi.d.ts';

type Schemas = components['schemas'];
type QueryOf<O extends keyof operations> = NonNullable<operations[O]['parameters']['query']>;

/** Body of a create: a query, a plan or a preset. */
export type CreateRun = Schemas['CreateRun'];
/** The steps of a run. */
export type Plan = Schemas['Plan'];
export type ResumeRun = Schemas['ResumeRun'];
export type RerunRun = Schemas['RerunRun'];
export type RunConfig = Schemas['RunConfig'];

/** What the data of an answer must look like. */
export type OutputSchema = Schemas['OutputSchema'];
/** A value of an answer as data, and where it comes from. */
export type BasisEntry = Schemas['BasisEntry'];
/** An answer as data. */
export type RunOutput<Data = Schemas['RunOutput']['data']> = Omit<Schemas['RunOutput'], 'data'> & {
  data: Data;
};

/** The envelope of a run. `Data` is the type that its `output_schema` describes. */
export type Run<Data = Schemas['RunOutput']['data']> = Omit<Schemas['Run'], 'output'> & {
  output?: RunOutput<Data> | null;
};
export type RunStatus = Schemas['RunStatus'];
export type StepSummary = Schemas['StepSummary'];
export type StepKind = Schemas['StepKind'];
/** Spans in OTLP/JSON. */
export type Trace = Schemas['Trace'];
export type SavedCall = Schemas['SavedCall'];
export type SavedCallList = Schemas['SavedCallList'];
export type StepItem = Schemas['StepItem'];
export type StepItemList = Schemas['StepItemList'];
export type RunError = Schemas['RunError'];
export type Warning = Schemas['Warning'];
export type Usage = Schemas['Usage'];
export type UsageRow = Schemas['UsageRow'];
export type UsageGroup = 'day' | 'key' | 'status' | 'input_type' | 'monitor' | 'model';
/** Which days, as `2026-11-20`, and by what; `by` one group or two. */
export type GetUsage = Omit<QueryOf<'GetUsage'>, 'by'> & { by?: UsageGroup | readonly UsageGroup[] };
/** A run as a list shows it: with `input_type` and `title` in place of `input` and `config`. */
export type ListedRun = Schemas['ListedRun'];
export type RunList = Schemas['RunList'];
/** Filters of a list of runs. */
export type ListCalls = QueryOf<'ListCalls'>;
export type ListItems = QueryOf<'ListStepItems'>;
export type ListRuns = Omit<QueryOf<'ListRuns'>, 'status'> & { status?: RunStatus | RunStatus[] };

/** An event of a run's log; `event_type` determines its `data`. */
export type RunEvent = Exclude<Schemas['Event'], { event_type: 'connection.expired' }>;
/** Everything a stream carries: log events, and the one that closes a connection. */
export type StreamEvent = Schemas['Event'];
/** A page of a log; pass `next_cursor` back as `cursor` for later events. */
export type EventPage = Omit<Schemas['EventPage'], 'data'> & { data: RunEvent[] };
export type EventToken = Schemas['EventToken'];

export type Artifact = Schemas['Artifact'];
export type TableArtifact = Schemas['TableArtifact'];
export type ArtifactSummary = Schemas['ArtifactSummary'];
/** The format of an export, and the part of a table that it has. */
export type ExportArtifact = Omit<QueryOf<'GetArtifact'>, 'link' | 'include'>;
export type CreateArtifactLink = Schemas['CreateArtifactLink'];
export type ArtifactLink = Schemas['ArtifactLink'];
export type EntityLink = Schemas['EntityLink'];
/** A row of a table, by column. */
export type Row = TableArtifact['rows'][number];
export type Note = Schemas['Note'];
export type EntityRef = Schemas['EntityRef'];
export type ResolveResult = Schemas['ResolveResult'];
export type Delivery = Schemas['Delivery'];
export type Source = Schemas['Source'];
/** A webhook in the list of its workspace. */
export type WorkspaceDelivery = Schemas['WorkspaceDelivery'];
export type WorkspaceDeliveryList = Schemas['WorkspaceDeliveryList'];
export type ListDeliveries = QueryOf<'ListAllDeliveries'>;
export type Redelivered = Schemas['Redelivered'];
/** An API key without its text. */
export type Key = Schemas['Key'];
/** A new API key: the only value with its text. */
export type NewKey = Schemas['NewKey'];
export type CreateKey = Schemas['CreateKey'];
export type RotateKey = Schemas['RotateKey'];
/** Who did what in the workspace. */
export type AuditEntry = Schemas['AuditEntry'];
export type AuditList = Schemas['AuditList'];
/** Body of a webhook; its `occurred_at` is in seconds. */
export type WebhookBody = Schemas['WebhookBody'];

/** An error as in replies. */
export type ErrorBody = Schemas['ErrorBody'];
export type ErrorCode = Schemas['ErrorCode'];
export type ErrorType = Schemas['ErrorType'];

/** The details of a code's errors; undefined for a code without. */
export type DetailsOf<C extends ErrorCode> = C extends unknown
  ? [Extract<ErrorBody, { code: C }>] extends [never]
    ? undefined
    : Extract<ErrorBody, { code: C; details?: object }>['details']
  : never;

/** What a create would cost, if it is valid. */
export type RunCheck = Schemas['RunCheck'];
/** The caller's key and workspace, with what both may still use. */
export type Me = Schemas['Me'];
export type Scope = Me['scopes'][number];
/** Words of record names, and their type. */
export type SearchEntities = QueryOf<'SearchEntities'>;
/** A record found by a search. */
export type FoundEntity = Schemas['FoundEntity'];
/** A type of records, with its fields. */
export type EntityType = Schemas['EntityType'];
/** A record with its newest relationships. */
export type Entity = Schemas['Entity'];

/** A line of an import: a record, or what changes of one. */
export type EntityLine = Schemas['EntityLine'];
/** Lines of an import, and what they do. */
export type ImportEntities = Schemas['ImportEntities'];
/** What became of the lines of an import. */
export type ImportedEntities = Schemas['ImportedEntities'];
/** What changes of a record. */
export type UpdateEntity = Schemas['UpdateEntity'];
/** Which records are deleted. */
export type DeleteEntities = Schemas['DeleteEntities'];
export type DeletedEntities = Schemas['DeletedEntities'];

/** Body of a new monitor. */
export type CreateMonitor = Schemas['CreateMonitor'];
/** What changes of a monitor. */
export type UpdateMonitor = Schemas['UpdateMonitor'];
export type Monitor = Schemas['Monitor'];
/** A monitor in a list, without the body of its runs. */
export type ListedMonitor = Schemas['ListedMonitor'];
export type MonitorList = Schemas['MonitorList'];
/** What became of a due time, a change or a request. */
export type Fire = Schemas['Fire'];
export type FireList = Schemas['FireList'];

export type JobKind = Schemas['JobKind'];
export type JobStatus = Schemas['JobStatus'];
/** A job, and what was asked; `items_in` go with it. */
export type Job = Schemas['Job'];
export type ListedJob = Schemas['ListedJob'];
export type JobList = Schemas['JobList'];
export type ListJobs = QueryOf<'ListJobs'>;
/** An item of an earlier step that goes with a job. */
export type JobItem = Schemas['JobItem'];
/** An item of the answer of a job. */
export type SourceItem = Schemas['SourceItem'];
/** What the work has used. */
export type JobUsage = Schemas['JobUsage'];
export type ProgressJob = Schemas['ProgressJob'];
export type AddJobItems = Schemas['AddJobItems'];
export type CompleteJob = Schemas['CompleteJob'];
export type FailJob = Schemas['FailJob'];
export type JobOpen = Schemas['JobOpen'];
/** False: the job was over in this way before, and the first message holds. */
export type JobAccepted = Schemas['JobAccepted'];
/** What a worker is sent. */
export type JobRequested = Schemas['JobRequested'];
/** What the `notify_url` of a question is sent. */
export type QuestionRequested = Schemas['QuestionRequested'];
/** The run has closed the job: nothing that comes for it counts any more. */
export type JobCanceled = Schemas['JobCanceled'];
