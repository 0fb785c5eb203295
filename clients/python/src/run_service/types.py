"""The API's types, generated from its OpenAPI document: `npm run openapi` writes this file."""

# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, TypedDict, Union


CreateRun = Union["CreateQueryRun", "CreatePlanRun", "CreatePresetRun"]


class _CreateQueryRunRequired(TypedDict):
    input_type: Literal["query"]
    query: str
    """What you want, in plain language; the service plans the steps."""


class CreateQueryRun(_CreateQueryRunRequired, total=False):
    output_schema: "OutputSchema"
    """What the data of the answer look like: `output` conforms to it. Needs a step `reconstitute`, the last of which writes the data."""
    config: "RunConfig"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


OutputTypes = Union["OutputType", Literal["null"], list["OutputTypeOrNull"]]


OutputType = Literal["object", "array", "string", "number", "integer", "boolean"]


OutputTypeOrNull = Literal["object", "array", "string", "number", "integer", "boolean", "null"]


OutputSchema = TypedDict("OutputSchema", {
    "type": "OutputTypes",
    "properties": dict[str, "OutputSchema"],
    "required": list[str],
    "items": "OutputSchema",
    "enum": list[Union[str, float, bool, None]],
    "minItems": int,
    "maxItems": int,
    "minimum": float,
    "maximum": float,
    "minLength": int,
    "maxLength": int,
    "format": "OutputFormat",
    "title": str,
    "description": str,
    "additionalProperties": Literal[False],
    "$schema": str,
    "$defs": dict[str, "OutputSchema"],
    "$ref": str,
    "anyOf": list["OutputSchema"],
    "const": Union[str, float, bool, None],
    "default": "Json",
}, total=False)
"""The part of JSON Schema that describes answers. The root is an `object`; every schema has a `type` or an `enum`; other keywords are refused, and so are bounds that no value can meet. What Zod and Pydantic print is expanded: `$schema`, `$defs` and `$ref`, `anyOf` of one type and null, `const`, `default`. At most 64 KB as compact JSON, 8 levels (`properties` and `items` each add one) and 200 properties in all."""


OutputFormat = Literal["date", "date-time"]


Json = Any
"""Any JSON value."""


class RunConfig(TypedDict, total=False):
    strict_mode: bool
    """Refuse an ambiguous query; `false` takes the best reading and warns."""
    xray: bool
    """Also draw on the global workspace. Scope `config:xray`."""
    global_search: bool
    """Search more broadly. Scope `config:global_search`."""
    unlimited_transform: bool
    """Let a transform work on up to 5000 items. Scope `config:unlimited_transform`."""
    max_cost_usd: float
    """Once the run has cost this much, it fails before its next model call; the code is `cost_threshold_exceeded`. It can then be resumed with a larger limit."""
    timeout_seconds: int
    """Seconds that the run may take from its start or resume; time in maintenance does not count. Past it nothing new begins: the run fails with `run_timed_out`, unless it has nothing left to do. It can then be resumed."""
    start_within_seconds: int
    """A run still pending after this time fails with `run_timed_out`. It counts from the creation or the resume."""
    model_wait_seconds: int
    """Seconds that the run waits in all while no model can be asked. Then it fails with `model_unavailable`, and can be resumed."""
    retain_seconds: int
    """The run is deleted this long after it ends. Without it a run is stored as long as the stage says."""
    keep_calls: bool
    """Keep the prompt and answer of each model call. They are in `GET /runs/{id}/calls`."""
    callback_url: str
    """https address that is notified when the run ends."""


class _CreatePlanRunRequired(TypedDict):
    input_type: Literal["plan"]
    plan: "Plan"


class CreatePlanRun(_CreatePlanRunRequired, total=False):
    output_schema: "OutputSchema"
    """What the data of the answer look like: `output` conforms to it. Needs a step `reconstitute`, the last of which writes the data."""
    config: "RunConfig"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


class Plan(TypedDict):
    """Exact steps, in the order they run."""

    title: str
    """Name of the plan."""
    steps: list["PlanStep"]


PlanStep = Union["FetchStep", "VectorSearchStep", "FilterStep", "TransformStep", "AnalyzeStep", "DiscoverStep", "ReconstituteStep", "InjectContextStep"]


class _FetchStepRequired(TypedDict):
    kind: Literal["fetch"]
    title: str
    """Shown to people who watch the run."""


class FetchStep(_FetchStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "FetchParams"


class FetchParams(TypedDict, total=False):
    """Retrieves records of a source: all, or those that match words."""

    source: str
    """Where to look: `entities`, an entity type, `notes`, `relationships`, `artifacts` or `global`. An entity type is one of the workspace, singular or plural; `global` needs `config.xray` or `config.global_search`. An unknown name yields no items and a warning."""
    query: str
    """Keeps records that match at least one of its words, best first; empty keeps all."""
    limit: int
    """Maximum number of records. To pick the best, fetch more and filter."""
    entity_types: list[str]
    """Only records of these types."""
    fields: list[str]
    """Only these fields of each record, named as in `where`; defaults to all of them. A field that no record has is named in the warning `field_not_found`."""
    sort: "Sort"
    """Order of the items: a word, or one to three fields. Defaults to relevance if there is a query."""
    where: "Where"
    """Keeps the records that meet the condition, in addition to `query`."""
    group_by: list["GroupField"]
    """Groups the records by these fields; the items are groups with their measures. Each field is named once. A record counts under at most 1,000 groups."""
    measures: list["Measure"]
    """What is computed for each group; defaults to one `count`. Without `group_by`, all records form one group."""
    context_step_ids: list[int]
    """Steps whose items go with a job. For a source of kind `job` or `person` alone; indexes of earlier steps, at most 1000 items."""


Sort = Union["SortWord", list["FieldSort"]]


Where = Union["EqualCondition", "OrderCondition", "InCondition", "TextCondition", "ExistsCondition", "AndCondition", "OrCondition", "NotCondition"]
"""A condition over fields, or `and`, `or`, `not` of conditions; at most 50 conditions, nested at most 5 deep. `field` is a path into the fields of a record (`address.city`) or `id`, `name`, `type`, `external_uri`, `external_id`, `source`, `created_at`, `updated_at`. Values are compared only with values of the same kind: `5` is not `\"5\"`."""


GroupField = Union[str, "FieldGroup"]
"""A field: a group for each value, or with `by` for each period of dates (UTC) or step of numbers. The group then has the beginning as its value: `2026-05-11` (of a week its Monday), `2026-05`, `2026-Q2`, `2026`, or a number. Dates are texts as `2026-05-11` or as of RFC 3339, and epoch milliseconds; whole numbers of at most four digits are none. Any other value is `(none)`."""


_MeasureRequired = TypedDict("_MeasureRequired", {
    "as": str,
    "op": "MeasureOp",
})


class Measure(_MeasureRequired, total=False):
    field: str


MeasureOp = Literal["count", "sum", "avg", "min", "max"]


class _VectorSearchStepRequired(TypedDict):
    kind: Literal["vector_search"]
    title: str
    """Shown to people who watch the run."""


class VectorSearchStep(_VectorSearchStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "VectorSearchParams"


class VectorSearchParams(TypedDict, total=False):
    """Retrieves the records nearest in meaning to a query, with scores."""

    query: str
    """What to search for; defaults to the instructions of the step, then its title."""
    source: str
    """Where to look: `entities`, an entity type, `notes`, `relationships`, `artifacts` or `global`. An entity type is one of the workspace, singular or plural; `global` needs `config.xray` or `config.global_search`. An unknown name yields no items and a warning."""
    limit: int
    """Maximum number of records."""
    min_score: float
    """Records below this similarity are left out."""
    entity_types: list[str]
    """Only records of these types."""
    where: "Where"
    """Only records that meet the condition."""


class _FilterStepRequired(TypedDict):
    kind: Literal["filter"]
    title: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""


class FilterStep(_FilterStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    params: "FilterParams"


class FilterParams(TypedDict, total=False):
    """Keeps the items that the instructions describe, best first."""

    steps_to_filter: list[int]
    """Indexes of the earlier steps whose items are used; defaults to the previous step."""
    limit_to: int
    """Maximum number of items to keep; defaults to all that match."""


class _TransformStepRequired(TypedDict):
    kind: Literal["transform"]
    title: str
    """Shown to people who watch the run."""


class TransformStep(_TransformStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "TransformParams"


class TransformParams(TypedDict, total=False):
    """Writes new fields for each item, items in parallel."""

    steps_to_transform: list[int]
    """Indexes of the earlier steps whose items are used; defaults to the previous step."""
    output_fields: list[str]
    """Names of the fields to write for each item."""
    limit: int
    """Maximum number of items to work on; above 100 only with `config.unlimited_transform`. Credits are reserved for this number and charged per item."""


class _AnalyzeStepRequired(TypedDict):
    kind: Literal["analyze"]
    title: str
    """Shown to people who watch the run."""


class AnalyzeStep(_AnalyzeStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "AnalyzeParams"


class AnalyzeParams(TypedDict, total=False):
    """Writes findings about the items of earlier steps."""

    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    focus: str
    """What to focus on."""
    max_tokens: int
    """Approximate length of the findings."""


class _DiscoverStepRequired(TypedDict):
    kind: Literal["discover"]
    title: str
    """Shown to people who watch the run."""


class DiscoverStep(_DiscoverStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "DiscoverParams"


class DiscoverParams(TypedDict, total=False):
    """Finds new records related to those of earlier steps, by relationships and similarity."""

    query: str
    """What the new records should be about; defaults to the instructions of the step."""
    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    entity_types: list[str]
    """Only records of these types."""
    limit: int
    """Maximum number of records."""
    depth: int
    """Maximum number of relationships between a known record and a new one."""


class _ReconstituteStepRequired(TypedDict):
    kind: Literal["reconstitute"]
    title: str
    """Shown to people who watch the run."""


class ReconstituteStep(_ReconstituteStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "ReconstituteParams"


class ReconstituteParams(TypedDict, total=False):
    """Writes the answer: the message and the artifacts."""

    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    expected_artifacts: list[str]
    """Each entry asks for one artifact: `table`, `text`, `entity_card`, or any other string as the title of a text. `NONE` asks for none. Case does not matter."""
    max_tokens: int
    """Approximate length of the answer."""


class _InjectContextStepRequired(TypedDict):
    kind: Literal["inject_context"]
    title: str
    """Shown to people who watch the run."""


class InjectContextStep(_InjectContextStepRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "InjectContextParams"


class InjectContextParams(TypedDict, total=False):
    """Gives text, records, notes or artifacts to later steps. At least one of its params is required."""

    text: str
    """Text, passed on unchanged."""
    entities: list["EntityRef"]
    """Records, by reference."""
    note_ids: list[str]
    artifact_ids: list[str]


EntityRef = Union["EntityById", "EntityByUri", "EntityByExternalId"]
"""A record of the workspace: by id, by URI, or by external id together with its source."""


class EntityById(TypedDict):
    id: str


class EntityByUri(TypedDict):
    external_uri: str


class EntityByExternalId(TypedDict):
    external_id: str
    source: "ExternalSource"


ExternalSource = Literal["vault", "linkedin", "crunchbase", "custom"]


class _CreatePresetRunRequired(TypedDict):
    input_type: Literal["preset"]
    preset: Literal["dossier"]
    params: "DossierParams"


class CreatePresetRun(_CreatePresetRunRequired, total=False):
    config: "RunConfig"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


class _DossierParamsRequired(TypedDict):
    entity: "EntityRef"
    """The record that the dossier is about, preferably by its id."""


class DossierParams(_DossierParamsRequired, total=False):
    sections: list[str]
    """Headings, in the order you want."""
    max_tokens: int
    """Approximate length of the text."""


class ResumeRun(TypedDict, total=False):
    plan: "Plan"
    """Optional; another plan than the saved one is refused."""
    config: "ResumeConfig"
    """The one part of the config that a resume can change."""


class ResumeConfig(TypedDict, total=False):
    max_cost_usd: float
    """Another limit of the cost of the run."""
    timeout_seconds: int
    """Seconds that the run may take from its start or resume; time in maintenance does not count. Past it nothing new begins: the run fails with `run_timed_out`, unless it has nothing left to do. It can then be resumed."""
    start_within_seconds: int
    """A run still pending after this time fails with `run_timed_out`. It counts from the creation or the resume."""
    model_wait_seconds: int
    """Seconds that the run waits in all while no model can be asked. Then it fails with `model_unavailable`, and can be resumed."""


class _RerunRunRequired(TypedDict):
    step_index: int
    """Index of the first step to run again."""


class RerunRun(_RerunRunRequired, total=False):
    config: "RunConfig"
    """Replaces the flags that it sets; the others are inherited."""


class ProgressJob(TypedDict, total=False):
    items_done: int
    items_total: int
    message: str


class AddJobItems(TypedDict):
    page: int
    items: list["SourceItem"]


class _SourceItemRequired(TypedDict):
    name: str


class SourceItem(_SourceItemRequired, total=False):
    id: "SourceItemId"
    type: Union[str, None]
    fields: Union[dict[str, "Json"], None]
    external_uri: Union[str, None]


SourceItemId = Union["ExternalItemId", None]


ExternalItemId = Union[str, float]


class CompleteJob(TypedDict, total=False):
    items: list["SourceItem"]
    answer: dict[str, "Json"]
    usage: "JobUsage"


class JobUsage(TypedDict, total=False):
    cost_usd: float
    input_tokens: int
    output_tokens: int


class _FailJobRequired(TypedDict):
    message: str
    retry: bool


class FailJob(_FailJobRequired, total=False):
    usage: "JobUsage"


class _RedeliverFailedRequired(TypedDict):
    status: Literal["failed"]


class RedeliverFailed(_RedeliverFailedRequired, total=False):
    created_after: int
    created_before: int


class _CreateKeyRequired(TypedDict):
    name: str
    """Shown in lists; several keys may have the same one."""
    scopes: list["Scope"]


class CreateKey(_CreateKeyRequired, total=False):
    expires_at: int
    """Epoch milliseconds in the future; absent: the key does not expire."""
    daily_cost_limit_usd: float
    """What its runs, and those of all keys that descend from it, may cost on a UTC day; absent: as much as the workspace."""


Scope = Literal["runs:create", "runs:read", "runs:cancel", "runs:delete", "artifacts:read", "records:write", "presets:dossier", "monitors:manage", "config:xray", "config:global_search", "config:unlimited_transform", "keys:manage"]


class RotateKey(TypedDict, total=False):
    grace_seconds: int
    """How long the old key still works."""


class CreateArtifactLink(TypedDict, total=False):
    expires_in_seconds: int
    """How long the link works."""
    format: "ExportFormat"
    """The format that the link opens in, by default JSON."""
    bom: "ByteOrderMark"
    """1: CSV begins with a byte order mark, for Excel. Only with `format` `csv`."""


ExportFormat = Literal["json", "jsonl", "csv", "md"]


ByteOrderMark = Union[int, int]


class UpdateEntity(TypedDict, total=False):
    name: str
    fields: dict[str, "Json"]
    """Merged into those of the record; null takes a field away."""
    external_uri: Union[str, None]
    """Null takes it away."""


class _ImportEntitiesRequired(TypedDict):
    records: list["EntityLine"]


class ImportEntities(_ImportEntitiesRequired, total=False):
    update: bool
    """Whether lines change records that exist (the default). False: these are left as they are, and count as unchanged."""
    dry_run: bool
    """Whether nothing is written."""


class _EntityLineRequired(TypedDict):
    type: str
    name: str


class EntityLine(_EntityLineRequired, total=False):
    id: str
    """The record that it changes, or the id of a new one."""
    fields: dict[str, "Json"]
    """In place of those of the record; absent: these stay."""
    external_uri: str
    external_id: str
    source: "ExternalSource"
    """The system that `external_id` is of. Without it `external_id` names no record."""
    occurrence: int
    """Of a line without id, `external_uri`, or `external_id` with `source`: its number among the lines of its type and name. Absent: counted in the request."""


class DeleteEntities(TypedDict, total=False):
    type: str
    where: "Where"
    ids: list[str]
    """Those that are not there are passed over."""


class _CreateMonitorRequired(TypedDict):
    name: str
    run: "CreateRun"
    """What each fire runs: a body of `POST /runs` with at most 15 pairs of metadata."""
    on: "Trigger"
    """When it fires: by the clock, or on a change of records."""


class CreateMonitor(_CreateMonitorRequired, total=False):
    overlap: "Overlap"
    """A fire while the last run has not ended: `skip` leaves it out, `queue` makes its run when that one has ended, `replace` cancels that one."""
    catch_up_seconds: int
    """How late a due time may still fire after the service could not."""
    notify: "Notify"
    """`changed` compares each run with the last succeeded one, and sends its webhook only if they differ or the run fails."""


Trigger = Union["ScheduleTrigger", "ChangeTrigger"]


class _ScheduleTriggerRequired(TypedDict):
    cron: str
    """Minute, hour, day, month and weekday: `*`, numbers, lists, ranges and steps. Of a day and a weekday either holds; 0 and 7 are Sunday."""


class ScheduleTrigger(_ScheduleTriggerRequired, total=False):
    timezone: str
    """Name of an IANA time zone, whose local time the pattern is."""


class ChangeTrigger(TypedDict):
    change: "RecordChange"


class _RecordChangeRequired(TypedDict):
    types: list[str]
    """Types of records whose changes count."""


class RecordChange(_RecordChangeRequired, total=False):
    where: "Where"
    """Only records that meet it, before or after the change."""
    settle_seconds: int
    """How long after the last change the monitor fires; ten times that after the first at the latest."""


Overlap = Literal["skip", "queue", "replace"]


Notify = Literal["every", "changed"]


class UpdateMonitor(TypedDict, total=False):
    name: str
    status: "MonitorStatus"
    run: "CreateRun"
    on: "Trigger"
    overlap: "Overlap"
    catch_up_seconds: int
    notify: "Notify"


MonitorStatus = Literal["active", "paused"]


class _SyncMessageRequired(TypedDict):
    resource: "SyncResource"
    operation: "SyncOperation"


class SyncMessage(_SyncMessageRequired, total=False):
    timestamp: str
    """ISO 8601 time of the change."""
    data: "SyncData"
    """The record (push). It takes precedence over `fetch_url`."""
    fetch_url: str
    """Address from which to fetch `data` (pull). Same rules as for callback URLs."""
    version: int
    """Grows with each change of the record; an older one is skipped."""


class SyncResource(TypedDict):
    type: str
    id: str


SyncOperation = Literal["create", "update", "delete"]


class SyncData(TypedDict):
    type: str
    id: str
    attributes: dict[str, "Json"]


class WebhookBody(TypedDict):
    event_id: str
    event_type: "WebhookEventType"
    occurred_at: int
    """Epoch seconds, unlike all other times."""
    api_version: str
    run_id: str
    workspace_id: str
    data: "WebhookRun"


WebhookEventType = Literal["run.succeeded", "run.failed"]


class WebhookRun(TypedDict):
    id: str
    object: Literal["run"]
    status: "RunStatus"
    created_at: int
    completed_at: int


RunStatus = Literal["pending", "running", "paused", "succeeded", "failed", "canceled"]


class _JobRequestedRequired(TypedDict):
    event: Literal["job.requested"]
    job_id: str
    run_id: str
    step_index: int
    attempt: int
    source: str
    title: str
    instructions: str
    query: str
    limit: int
    items: list["JobItem"]
    deadline_at: int
    job_url: str
    traceparent: str
    token: str
    """Answers under `job_url`, as a bearer."""


class JobRequested(_JobRequestedRequired, total=False):
    """What a worker is sent."""

    where: dict[str, "Json"]


class JobItem(TypedDict):
    id: Union[str, None]
    name: str
    type: str
    fields: dict[str, "Json"]


class _QuestionRequestedRequired(TypedDict):
    event: Literal["job.requested"]
    job_id: str
    run_id: str
    step_index: int
    attempt: int
    source: str
    title: str
    instructions: str
    query: str
    limit: int
    items: list["JobItem"]
    deadline_at: int
    job_url: str
    traceparent: str
    answer_url: str
    """Where a person answers it, without a key."""


class QuestionRequested(_QuestionRequestedRequired, total=False):
    """What the `notify_url` of a question is sent."""

    where: dict[str, "Json"]


class JobCanceled(TypedDict):
    """The run has closed the job: nothing that comes for it counts any more."""

    event: Literal["job.canceled"]
    job_id: str


class Me(TypedDict):
    object: Literal["key"]
    key_id: str
    name: str
    scopes: list["Scope"]
    expires_at: Union[int, None]
    """Null for a key that does not expire."""
    daily_cost_limit_usd: Union[float, None]
    """Null for a key without its own limit."""
    cost_today_usd: float
    """What its runs have cost since the last UTC midnight; of a key with a limit, also those of the keys that descend from it."""
    model: "KeyModel"
    workspace: "KeyWorkspace"


class _KeyModelRequired(TypedDict):
    name: str
    """The first of the models that is not away."""
    simulated: bool
    """Whether the model only rehearses: its answers follow rules, and its cost is not real."""
    available: bool
    """Whether one of them is not away. A query is refused, and a run waits, while none is."""


class KeyModel(_KeyModelRequired, total=False):
    retry_at: int
    """When they are tried again; only while all are away."""


class KeyWorkspace(TypedDict):
    id: str
    name: str
    tier: "Tier"
    features: list["Feature"]
    max_concurrent_runs: int
    runs_in_flight: int
    """Runs that count toward `max_concurrent_runs`."""
    daily_cost_cap_usd: float
    cost_today_usd: float
    """What all its runs have cost since the last UTC midnight."""
    credits_left: Union[int, None]
    """Credits neither used nor reserved; null if the workspace has no credits."""
    credits_held: Union[int, None]
    """Credits reserved for runs in flight; null if the workspace has no credits."""


Tier = Literal["free", "pro", "enterprise"]


Feature = Literal["WEBHOOK_INTEGRATION", "GLOBAL_SEARCH"]


class Error(TypedDict):
    """Envelope of every error. What each code means is under `x-error-codes`."""

    error: "ErrorBody"


ErrorBody = Union["PlainError", "UnsupportedInputTypeError", "UnsupportedPresetError", "PayloadTooLargeError", "UnsupportedMediaTypeError", "SchemaValidationFailedError", "MissingRequiredFieldError", "QueryAmbiguousError", "EntityAmbiguousError", "EntityNotResolvableError", "PlanTooLargeError", "StepTooCostlyError", "OutputInvalidError", "InvalidCallbackUrlError", "InvalidRerunStepError", "AuthExpiredError", "ForbiddenFeatureError", "CheckpointNotFoundError", "IdempotencyKeyConflictError", "MonitorsExceededError", "RunNotResumableError", "JobOverError", "RunNotTerminalError", "PlanFingerprintMismatchError", "KeyNotActiveError", "KeysExceededError", "ConcurrentRunsExceededError", "WorkspaceCostCapExceededError", "CostThresholdExceededError", "ModelRefusedError", "ModelAnswerUnusableError", "ModelUnavailableError", "SourceFailedError", "UpstreamTimeoutError", "RunTimedOutError"]


class _PlainErrorRequired(TypedDict):
    code: Literal["invalid_json", "request_timeout", "misdirected_request", "auth_missing", "auth_invalid", "forbidden_workspace", "run_not_found", "artifact_not_found", "entity_not_found", "step_not_found", "job_not_found", "workspace_not_found", "note_not_found", "monitor_not_found", "delivery_not_found", "key_not_found", "not_found", "external_uri_taken", "key_in_use", "canceled_by_user", "rate_limit_exceeded", "internal_error", "usage_accounting_unavailable", "service_unavailable"]
    type: "ErrorType"
    message: str
    doc_url: str
    request_id: str


class PlainError(_PlainErrorRequired, total=False):
    param: str


ErrorType = Literal["invalid_request", "plan_error", "authentication", "permission", "not_found", "conflict", "rate_limit", "internal", "unavailable", "timeout"]


class _UnsupportedInputTypeErrorRequired(TypedDict):
    code: Literal["unsupported_input_type"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "UnsupportedValueDetails"


class UnsupportedInputTypeError(_UnsupportedInputTypeErrorRequired, total=False):
    param: str


class UnsupportedValueDetails(TypedDict):
    received: Any
    allowed: list[str]


class _UnsupportedPresetErrorRequired(TypedDict):
    code: Literal["unsupported_preset"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "UnsupportedValueDetails"


class UnsupportedPresetError(_UnsupportedPresetErrorRequired, total=False):
    param: str


class _PayloadTooLargeErrorRequired(TypedDict):
    code: Literal["payload_too_large"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str


class PayloadTooLargeError(_PayloadTooLargeErrorRequired, total=False):
    param: str
    details: "PayloadTooLargeDetails"


class PayloadTooLargeDetails(TypedDict):
    max_bytes: int
    received_bytes: int


class _UnsupportedMediaTypeErrorRequired(TypedDict):
    code: Literal["unsupported_media_type"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "UnsupportedMediaTypeDetails"


class UnsupportedMediaTypeError(_UnsupportedMediaTypeErrorRequired, total=False):
    param: str


class UnsupportedMediaTypeDetails(TypedDict):
    received: str


class _SchemaValidationFailedErrorRequired(TypedDict):
    code: Literal["schema_validation_failed"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "IssuesDetails"


class SchemaValidationFailedError(_SchemaValidationFailedErrorRequired, total=False):
    param: str


class IssuesDetails(TypedDict):
    issues: list["Issue"]


class Issue(TypedDict):
    code: str
    expected: str
    received: str
    path: list[Union[str, int]]
    message: str


class _MissingRequiredFieldErrorRequired(TypedDict):
    code: Literal["missing_required_field"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "IssuesDetails"


class MissingRequiredFieldError(_MissingRequiredFieldErrorRequired, total=False):
    param: str


class _QueryAmbiguousErrorRequired(TypedDict):
    code: Literal["query_ambiguous"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "QueryAmbiguousDetails"


class QueryAmbiguousError(_QueryAmbiguousErrorRequired, total=False):
    param: str


class _QueryAmbiguousDetailsRequired(TypedDict):
    reason: "AmbiguityReason"


class QueryAmbiguousDetails(_QueryAmbiguousDetailsRequired, total=False):
    words: list[str]


AmbiguityReason = Literal["multiple_interpretations", "missing_subject", "too_broad", "not_understood"]


class _EntityAmbiguousErrorRequired(TypedDict):
    code: Literal["entity_ambiguous"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "EntityAmbiguousDetails"


class EntityAmbiguousError(_EntityAmbiguousErrorRequired, total=False):
    param: str


class EntityAmbiguousDetails(TypedDict):
    question: str
    candidate_ids: list[str]


class _EntityNotResolvableErrorRequired(TypedDict):
    code: Literal["entity_not_resolvable"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "EntityNotResolvableDetails"


class EntityNotResolvableError(_EntityNotResolvableErrorRequired, total=False):
    param: str


class EntityNotResolvableDetails(TypedDict):
    ref: Any


class _PlanTooLargeErrorRequired(TypedDict):
    code: Literal["plan_too_large"]
    type: Literal["plan_error"]
    message: str
    doc_url: str
    request_id: str
    details: "PlanTooLargeDetails"


class PlanTooLargeError(_PlanTooLargeErrorRequired, total=False):
    param: str


class PlanTooLargeDetails(TypedDict):
    max_steps: int
    received: int


class _StepTooCostlyErrorRequired(TypedDict):
    code: Literal["step_too_costly"]
    type: Literal["plan_error"]
    message: str
    doc_url: str
    request_id: str
    details: "StepTooCostlyDetails"


class StepTooCostlyError(_StepTooCostlyErrorRequired, total=False):
    param: str


class StepTooCostlyDetails(TypedDict):
    reason: "TooCostlyReason"
    limit: int
    step_index: int


TooCostlyReason = Literal["groups_per_record", "pairs", "time"]


class _OutputInvalidErrorRequired(TypedDict):
    code: Literal["output_invalid"]
    type: Literal["plan_error"]
    message: str
    doc_url: str
    request_id: str
    details: "OutputInvalidDetails"


class OutputInvalidError(_OutputInvalidErrorRequired, total=False):
    param: str


class OutputInvalidDetails(TypedDict):
    issues: list["OutputIssueDetails"]
    step_index: int


class OutputIssueDetails(TypedDict):
    path: str
    """A place of the data, as a JSON Pointer; empty for all of them."""
    message: str


class _InvalidCallbackUrlErrorRequired(TypedDict):
    code: Literal["invalid_callback_url"]
    type: Literal["invalid_request"]
    message: str
    doc_url: str
    request_id: str
    details: "InvalidCallbackUrlDetails"


class InvalidCallbackUrlError(_InvalidCallbackUrlErrorRequired, total=False):
    param: str


class InvalidCallbackUrlDetails(TypedDict):
    reason: "CallbackUrlReason"


CallbackUrlReason = Literal["invalid_url", "not_https", "private_address"]


class _InvalidRerunStepErrorRequired(TypedDict):
    code: Literal["invalid_rerun_step"]
    type: Literal["plan_error"]
    message: str
    doc_url: str
    request_id: str
    details: "InvalidRerunStepDetails"


class InvalidRerunStepError(_InvalidRerunStepErrorRequired, total=False):
    param: str


class InvalidRerunStepDetails(TypedDict):
    step_index: int
    min_index: int
    max_index: int


class _AuthExpiredErrorRequired(TypedDict):
    code: Literal["auth_expired"]
    type: Literal["authentication"]
    message: str
    doc_url: str
    request_id: str
    details: "AuthExpiredDetails"


class AuthExpiredError(_AuthExpiredErrorRequired, total=False):
    param: str


class AuthExpiredDetails(TypedDict):
    expired_at: int


class _ForbiddenFeatureErrorRequired(TypedDict):
    code: Literal["forbidden_feature"]
    type: Literal["permission"]
    message: str
    doc_url: str
    request_id: str
    details: "ForbiddenFeatureDetails"


class ForbiddenFeatureError(_ForbiddenFeatureErrorRequired, total=False):
    param: str


ForbiddenFeatureDetails = Union["MissingScopeDetails", "MissingFeatureDetails"]


class MissingScopeDetails(TypedDict):
    required_scope: str


class MissingFeatureDetails(TypedDict):
    required_feature: str


class _CheckpointNotFoundErrorRequired(TypedDict):
    code: Literal["checkpoint_not_found"]
    type: Literal["not_found"]
    message: str
    doc_url: str
    request_id: str
    details: "CheckpointNotFoundDetails"


class CheckpointNotFoundError(_CheckpointNotFoundErrorRequired, total=False):
    param: str


class CheckpointNotFoundDetails(TypedDict):
    step_index: int


class _IdempotencyKeyConflictErrorRequired(TypedDict):
    code: Literal["idempotency_key_conflict"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "IdempotencyKeyConflictDetails"


class IdempotencyKeyConflictError(_IdempotencyKeyConflictErrorRequired, total=False):
    param: str


IdempotencyKeyConflictDetails = Union["OriginalRunDetails", "OriginalDetails"]


class OriginalRunDetails(TypedDict):
    original_run_id: str


class OriginalDetails(TypedDict):
    original_id: str


class _MonitorsExceededErrorRequired(TypedDict):
    code: Literal["monitors_exceeded"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "MonitorsExceededDetails"


class MonitorsExceededError(_MonitorsExceededErrorRequired, total=False):
    param: str


class MonitorsExceededDetails(TypedDict):
    limit: int


class _RunNotResumableErrorRequired(TypedDict):
    code: Literal["run_not_resumable"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "RunNotResumableDetails"


class RunNotResumableError(_RunNotResumableErrorRequired, total=False):
    param: str


class RunNotResumableDetails(TypedDict):
    status: str
    reason: "NotResumableReason"


NotResumableReason = Literal["not_failed", "canceled", "in_progress", "no_saved_plan", "run_not_terminal"]


class _JobOverErrorRequired(TypedDict):
    code: Literal["job_over"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "JobOverDetails"


class JobOverError(_JobOverErrorRequired, total=False):
    param: str


class JobOverDetails(TypedDict):
    status: "JobOverReason"


JobOverReason = Literal["completed", "failed", "canceled", "timed_out", "replaced"]


class _RunNotTerminalErrorRequired(TypedDict):
    code: Literal["run_not_terminal"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "RunNotTerminalDetails"


class RunNotTerminalError(_RunNotTerminalErrorRequired, total=False):
    param: str


class RunNotTerminalDetails(TypedDict):
    status: str


class _PlanFingerprintMismatchErrorRequired(TypedDict):
    code: Literal["plan_fingerprint_mismatch"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "PlanFingerprintMismatchDetails"


class PlanFingerprintMismatchError(_PlanFingerprintMismatchErrorRequired, total=False):
    param: str


class PlanFingerprintMismatchDetails(TypedDict):
    expected: str
    actual: str


class _KeyNotActiveErrorRequired(TypedDict):
    code: Literal["key_not_active"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "KeyNotActiveDetails"


class KeyNotActiveError(_KeyNotActiveErrorRequired, total=False):
    param: str


class KeyNotActiveDetails(TypedDict):
    reason: "KeyNotActiveReason"


KeyNotActiveReason = Literal["revoked", "expired", "rotated"]


class _KeysExceededErrorRequired(TypedDict):
    code: Literal["keys_exceeded"]
    type: Literal["conflict"]
    message: str
    doc_url: str
    request_id: str
    details: "KeysExceededDetails"


class KeysExceededError(_KeysExceededErrorRequired, total=False):
    param: str


class KeysExceededDetails(TypedDict):
    limit: int


class _ConcurrentRunsExceededErrorRequired(TypedDict):
    code: Literal["concurrent_runs_exceeded"]
    type: Literal["rate_limit"]
    message: str
    doc_url: str
    request_id: str
    details: "ConcurrentRunsExceededDetails"


class ConcurrentRunsExceededError(_ConcurrentRunsExceededErrorRequired, total=False):
    param: str


class ConcurrentRunsExceededDetails(TypedDict):
    limit: int
    in_flight: int


class _WorkspaceCostCapExceededErrorRequired(TypedDict):
    code: Literal["workspace_cost_cap_exceeded"]
    type: Literal["rate_limit"]
    message: str
    doc_url: str
    request_id: str
    details: "WorkspaceCostCapExceededDetails"


class WorkspaceCostCapExceededError(_WorkspaceCostCapExceededErrorRequired, total=False):
    param: str


WorkspaceCostCapExceededDetails = Union["DailyLimitDetails", "CreditsDetails"]


class DailyLimitDetails(TypedDict):
    limit_usd: float
    spent_usd: float
    resets_at: int


class CreditsDetails(TypedDict):
    reason: Literal["credits"]
    required: float
    available: float


class _CostThresholdExceededErrorRequired(TypedDict):
    code: Literal["cost_threshold_exceeded"]
    type: Literal["rate_limit"]
    message: str
    doc_url: str
    request_id: str
    details: "CostThresholdExceededDetails"


class CostThresholdExceededError(_CostThresholdExceededErrorRequired, total=False):
    param: str


class _CostThresholdExceededDetailsRequired(TypedDict):
    limit_usd: float
    spent_usd: float


class CostThresholdExceededDetails(_CostThresholdExceededDetailsRequired, total=False):
    resets_at: int


class _ModelRefusedErrorRequired(TypedDict):
    code: Literal["model_refused"]
    type: Literal["internal"]
    message: str
    doc_url: str
    request_id: str
    details: "ModelRefusedDetails"


class ModelRefusedError(_ModelRefusedErrorRequired, total=False):
    param: str


class _ModelRefusedDetailsRequired(TypedDict):
    cause: "ModelErrorReason"


class ModelRefusedDetails(_ModelRefusedDetailsRequired, total=False):
    status_code: int
    model: str
    step_index: int
    provider: "ProviderDetails"
    reason: "ModelRefusedReason"


ModelErrorReason = Literal["away", "refused", "cut_off", "filtered", "unusable"]


class _ProviderDetailsRequired(TypedDict):
    message: str


class ProviderDetails(_ProviderDetailsRequired, total=False):
    status_code: int


ModelRefusedReason = Literal["input_too_long"]


class _ModelAnswerUnusableErrorRequired(TypedDict):
    code: Literal["model_answer_unusable"]
    type: Literal["internal"]
    message: str
    doc_url: str
    request_id: str
    details: "ModelAnswerUnusableDetails"


class ModelAnswerUnusableError(_ModelAnswerUnusableErrorRequired, total=False):
    param: str


class _ModelAnswerUnusableDetailsRequired(TypedDict):
    cause: "ModelErrorReason"


class ModelAnswerUnusableDetails(_ModelAnswerUnusableDetailsRequired, total=False):
    step_index: int
    provider: "ProviderDetails"


class _ModelUnavailableErrorRequired(TypedDict):
    code: Literal["model_unavailable"]
    type: Literal["unavailable"]
    message: str
    doc_url: str
    request_id: str
    details: "ModelUnavailableDetails"


class ModelUnavailableError(_ModelUnavailableErrorRequired, total=False):
    param: str


class _ModelUnavailableDetailsRequired(TypedDict):
    cause: "ModelErrorReason"


class ModelUnavailableDetails(_ModelUnavailableDetailsRequired, total=False):
    step_index: int
    provider: "ProviderDetails"


class _SourceFailedErrorRequired(TypedDict):
    code: Literal["source_failed"]
    type: Literal["unavailable"]
    message: str
    doc_url: str
    request_id: str
    details: "SourceFailedDetails"


class SourceFailedError(_SourceFailedErrorRequired, total=False):
    param: str


class _SourceFailedDetailsRequired(TypedDict):
    source: str
    reason: "SourceFailedReason"
    message: str
    step_index: int


class SourceFailedDetails(_SourceFailedDetailsRequired, total=False):
    status_code: int


SourceFailedReason = Literal["status", "timeout", "connection", "shape", "too_large", "address", "job", "tool"]


class _UpstreamTimeoutErrorRequired(TypedDict):
    code: Literal["upstream_timeout"]
    type: Literal["timeout"]
    message: str
    doc_url: str
    request_id: str


class UpstreamTimeoutError(_UpstreamTimeoutErrorRequired, total=False):
    param: str
    details: "UpstreamTimeoutDetails"


class UpstreamTimeoutDetails(TypedDict):
    dependency: str
    timeout_ms: int


class _RunTimedOutErrorRequired(TypedDict):
    code: Literal["run_timed_out"]
    type: Literal["timeout"]
    message: str
    doc_url: str
    request_id: str
    details: "RunTimedOutDetails"


class RunTimedOutError(_RunTimedOutErrorRequired, total=False):
    param: str


class _RunTimedOutDetailsRequired(TypedDict):
    limit: "TimedOutReason"
    limit_seconds: int
    elapsed_ms: int


class RunTimedOutDetails(_RunTimedOutDetailsRequired, total=False):
    step_index: int


TimedOutReason = Literal["timeout_seconds", "start_within_seconds"]


RunOrCheck = Union["Run", "RunCheck"]


class _RunRequired(TypedDict):
    id: str
    object: Literal["run"]
    status: "RunStatus"
    waiting: "NullableWaiting"
    """What a paused run waits for, else null."""
    api_version: str
    created_at: int
    workspace_id: str
    input: "RunInput"
    """The input as sent; defaults are not filled in."""
    config: "RunConfigAsSent"
    """The config as sent, with the resolved `callback_url`."""
    steps: list["StepSummary"]
    """Empty until there is a plan."""
    message: Union[str, None]
    """The answer. It may contain record links, `[label](kind=id)`. Null until it is known."""
    artifacts: list["ArtifactSummary"]
    note_ids: list[str]
    warnings: list["Warning"]
    errors: list["RunError"]
    """What failed, including single items in a run that succeeded."""
    usage: "Usage"
    resumable: bool
    """Whether the run can be resumed: it failed and its saved plan is intact."""
    resume_count: int
    """How many times the run was resumed."""
    request_id: str
    """Id of the request that created the run."""


class Run(_RunRequired, total=False):
    started_at: int
    completed_at: int
    """Present once the run has ended."""
    metadata: dict[str, str]
    output: "NullableRunOutput"
    """The answer as data; only on runs with `output_schema`. Null until it is known. Lists do not have it."""
    rerun_of: "RerunOf"
    """The run and step that this run was started from."""
    plan: "IncludedPlan"
    """Only with `include=plan`: the plan that the run follows, as `POST /runs` takes it. Null until there is one."""
    understood_as: Union[str, None]
    """Only with `include=plan`, on runs of a query: what the plan does, in words. Null until there is one."""


NullableWaiting = Union["Waiting", None]


class _WaitingRequired(TypedDict):
    reason: "WaitReason"
    since: int


class Waiting(_WaitingRequired, total=False):
    until: int
    step_index: int
    source: str
    job_id: str


WaitReason = Literal["maintenance", "model_unavailable", "job", "person"]


RunInput = Union["QueryInput", "PlanInput", "PresetInput"]


class _QueryInputRequired(TypedDict):
    input_type: Literal["query"]
    query: str


class QueryInput(_QueryInputRequired, total=False):
    output_schema: "OutputSchemaAsSent"


class _PlanInputRequired(TypedDict):
    input_type: Literal["plan"]
    plan: "PlanAsSent"


class PlanInput(_PlanInputRequired, total=False):
    output_schema: "OutputSchemaAsSent"


class PresetInput(TypedDict):
    input_type: Literal["preset"]
    preset: Literal["dossier"]
    params: "DossierParamsAsSent"


class _StepSummaryRequired(TypedDict):
    index: int
    kind: "StepKind"
    status: "StepStatus"
    title: str
    attempt: int
    """How many times the step was started."""


class StepSummary(_StepSummaryRequired, total=False):
    started_at: int
    duration_ms: int
    items_out: int
    """Items that the step passed on."""
    error: "RunError"


StepKind = Literal["fetch", "vector_search", "filter", "transform", "analyze", "discover", "reconstitute", "inject_context"]


StepStatus = Literal["pending", "running", "completed", "failed", "skipped", "canceled"]


class _RunErrorRequired(TypedDict):
    code: "ErrorCode"
    type: "ErrorType"
    message: str
    doc_url: str


class RunError(_RunErrorRequired, total=False):
    details: dict[str, "Json"]


ErrorCode = Literal["invalid_json", "unsupported_input_type", "unsupported_preset", "request_timeout", "payload_too_large", "unsupported_media_type", "misdirected_request", "schema_validation_failed", "missing_required_field", "query_ambiguous", "entity_ambiguous", "entity_not_resolvable", "plan_too_large", "step_too_costly", "output_invalid", "invalid_callback_url", "invalid_rerun_step", "auth_missing", "auth_invalid", "auth_expired", "forbidden_feature", "forbidden_workspace", "run_not_found", "artifact_not_found", "entity_not_found", "step_not_found", "job_not_found", "checkpoint_not_found", "workspace_not_found", "note_not_found", "monitor_not_found", "delivery_not_found", "key_not_found", "not_found", "idempotency_key_conflict", "external_uri_taken", "monitors_exceeded", "run_not_resumable", "job_over", "run_not_terminal", "plan_fingerprint_mismatch", "key_not_active", "key_in_use", "keys_exceeded", "canceled_by_user", "concurrent_runs_exceeded", "workspace_cost_cap_exceeded", "cost_threshold_exceeded", "rate_limit_exceeded", "internal_error", "model_refused", "model_answer_unusable", "model_unavailable", "source_failed", "usage_accounting_unavailable", "service_unavailable", "upstream_timeout", "run_timed_out"]


NullableRunOutput = Union["RunOutput", None]


class RunOutput(TypedDict):
    data: Any
    """Conforms to `output_schema`; at most 256 KB."""
    basis: list["BasisEntry"]
    """An entry for each scalar of `data` that is not null, in the order of the document."""


class _BasisEntryRequired(TypedDict):
    path: str
    """The value in `data`, as a JSON Pointer."""
    kind: "BasisKind"
    """`record`: a field of a record as the run read it, filled in by the service. `group`: a grouped field or a measure. `count`: a number of items that the service counted. `model`: written by a model."""


class BasisEntry(_BasisEntryRequired, total=False):
    entity_id: str
    """The record."""
    field: str
    """Path of the field, as conditions name it."""
    step_index: int
    """The step that yielded or wrote it."""


BasisKind = Literal["record", "group", "count", "model"]


class _ArtifactSummaryRequired(TypedDict):
    id: str
    kind: "ArtifactKind"
    title: str


class ArtifactSummary(_ArtifactSummaryRequired, total=False):
    row_count: int


ArtifactKind = Literal["table", "text", "entity_card"]


class _WarningRequired(TypedDict):
    code: "WarningCode"
    message: str


class Warning(_WarningRequired, total=False):
    step_index: int
    details: dict[str, "Json"]


WarningCode = Literal["results_truncated", "partial_failure", "source_not_found", "field_not_found", "assumed_interpretation", "query_partly_understood", "message_unverified", "artifact_truncated", "input_shortened", "output_incomplete", "unpriced_usage", "model_fallback", "vectors_outdated"]


class _UsageRequired(TypedDict):
    calls: int
    """Successful calls of model providers."""
    unpriced_calls: int
    """Of these, calls without reported usage or a price."""
    input_tokens: int
    cached_input_tokens: int
    """Input tokens read from the provider's cache; part of `input_tokens`."""
    output_tokens: int
    thinking_tokens: int
    cost_usd: float
    """Exact sum of the priced calls."""
    models: list["ModelUsage"]
    """The same by model, in the order of their first use."""


class Usage(_UsageRequired, total=False):
    jobs: "JobsUsage"
    credits_at_most: int
    """The most credits that the run can cost, reserved until it ends."""
    credits_used: Union[int, None]
    """Credits charged; null until the run has ended."""
    simulated: Literal[True]
    """Present where the offline model rehearses: this cost is not real."""


class ModelUsage(TypedDict):
    model: str
    calls: int
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    cost_usd: float


class JobsUsage(TypedDict):
    count: int
    cost_usd: float


class RerunOf(TypedDict):
    run_id: str
    step_index: int


IncludedPlan = Union["PlanAsSent", None]


class RunCheck(TypedDict):
    object: Literal["run_check"]
    valid: Literal[True]
    steps: list["CheckedStep"]
    """The steps of the plan; none for a query, which is planned when it runs."""
    credits_at_most: Union[int, None]
    """Credits that would be reserved; null if the workspace has no credits."""


class CheckedStep(TypedDict):
    index: int
    kind: "StepKind"
    title: str
    credits: int
    """The most that the step can cost."""


class RunList(TypedDict):
    object: Literal["list"]
    data: list["ListedRun"]
    next_cursor: Union[str, None]
    """Null on the last page."""
    has_more: bool
    """Whether there are more runs. A page of long runs ends before `limit`."""


class _ListedRunRequired(TypedDict):
    id: str
    object: Literal["run"]
    status: "RunStatus"
    waiting: "NullableWaiting"
    api_version: str
    created_at: int
    workspace_id: str
    steps: list["StepSummary"]
    message: Union[str, None]
    artifacts: list["ArtifactSummary"]
    note_ids: list[str]
    warnings: list["Warning"]
    errors: list["RunError"]
    usage: "Usage"
    resumable: bool
    resume_count: int
    request_id: str
    input_type: "InputType"
    title: Union[str, None]
    """The plan's title, the first characters of the query, or the name of the dossier's record. Null if the run has none."""


class ListedRun(_ListedRunRequired, total=False):
    started_at: int
    completed_at: int
    metadata: dict[str, str]
    rerun_of: "RerunOf"


InputType = Literal["query", "plan", "preset"]


class Trace(TypedDict):
    resourceSpans: list["TraceResourceSpans"]


class TraceResourceSpans(TypedDict):
    resource: "TraceResource"
    scopeSpans: list["TraceScopeSpans"]


class TraceResource(TypedDict):
    attributes: list["TraceAttribute"]


class TraceAttribute(TypedDict):
    key: str
    value: "TraceValue"


TraceValue = Union["TraceText", "TraceInteger"]


class TraceText(TypedDict):
    stringValue: str


class TraceInteger(TypedDict):
    intValue: str


class TraceScopeSpans(TypedDict):
    scope: "TraceScope"
    spans: list["TraceSpan"]


class TraceScope(TypedDict):
    name: str
    version: str


class _TraceSpanRequired(TypedDict):
    traceId: str
    spanId: str
    name: str
    kind: int
    startTimeUnixNano: str
    attributes: list["TraceAttribute"]
    status: "TraceStatus"


class TraceSpan(_TraceSpanRequired, total=False):
    parentSpanId: str
    endTimeUnixNano: str


class TraceStatus(TypedDict, total=False):
    code: int
    message: str


class SavedCallList(TypedDict):
    object: Literal["list"]
    data: list["SavedCall"]
    next_cursor: Union[str, None]
    has_more: bool


class SavedCall(TypedDict):
    step_index: int
    """-1 for the understanding and the planning of a query."""
    attempt: int
    """The attempt of the step: 1, and one more after each resume."""
    call: int
    """The position of the call in its step, from 0. A repeated request has the same."""
    task: "ModelTask"
    """What was asked; `reconstitute` is the answer, in words or as data."""
    model: str
    messages: list["CallMessage"]
    answer: Union[str, None]
    """As it came, before anything is made of it. Null without an answer."""
    usage: "NullableCallUsage"
    """Null without readable usage."""
    duration_ms: int
    outcome: "CallOutcome"
    """`answered`, `repaired` (an answer to a complaint about the one before), or why it failed: `away`, `refused`, `cut_off`, `filtered` (by the provider) or `unusable`."""


ModelTask = Literal["understand", "plan", "filter", "transform", "analyze", "discover", "reconstitute", "dossier"]


class CallMessage(TypedDict):
    role: "CallRole"
    content: str


CallRole = Literal["system", "user", "assistant"]


NullableCallUsage = Union["CallUsage", None]


class CallUsage(TypedDict):
    input_tokens: int
    cached_input_tokens: int
    output_tokens: int
    thinking_tokens: int
    cost_usd: float


CallOutcome = Literal["answered", "repaired", "away", "refused", "cut_off", "filtered", "unusable"]


class StepItemList(TypedDict):
    object: Literal["list"]
    total: int
    """How many items there are on all pages."""
    data: list["StepItem"]


class _StepItemRequired(TypedDict):
    id: Union[str, None]
    """Of a record, the id of the record. Null for groups, which are made by the step."""
    name: str
    type: str
    fields: dict[str, "Json"]
    """As the step left them. Strings are plain text, not Markdown as in the cells of a table."""


class StepItem(_StepItemRequired, total=False):
    score: float
    """How well the item fits, 0 to 1, where the step says so."""


class EventPage(TypedDict):
    object: Literal["list"]
    data: list["RunEvent"]
    next_cursor: str
    """On every page; pass it back as `cursor` to get later events."""
    has_more: bool
    """Whether the next page can be fetched at once."""


EventType = Literal["run.created", "run.pre_validation", "run.started", "run.succeeded", "run.failed", "run.paused", "run.canceled", "step.started", "step.completed", "step.failed", "step.skipped", "step.retrying", "step.progress", "artifact.created", "connection.expired"]


class _EventTokenRequired(TypedDict):
    event_token: str
    expires_at: int


class EventToken(_EventTokenRequired, total=False):
    stream_url: str
    """Address for streaming in browsers without the gateway, if the stage has one."""


Event = Union["RunCreatedEvent", "RunPreValidationEvent", "RunStartedEvent", "RunSucceededEvent", "RunFailedEvent", "RunPausedEvent", "RunCanceledEvent", "StepStartedEvent", "StepCompletedEvent", "StepFailedEvent", "StepSkippedEvent", "StepRetryingEvent", "StepProgressEvent", "ArtifactCreatedEvent", "ConnectionExpiredEvent"]


class RunCreatedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.created"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunCreatedData"


class _RunCreatedDataRequired(TypedDict):
    status: Literal["pending"]
    input_type: "InputType"


class RunCreatedData(_RunCreatedDataRequired, total=False):
    rerun_of: "RerunOf"


class RunPreValidationEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.pre_validation"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunPreValidationData"


class RunPreValidationData(TypedDict):
    step_index: int
    status: Literal["completed"]
    title: str
    duration_ms: int
    warnings: list["Warning"]


class RunStartedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.started"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunStartedData"


class _RunStartedDataRequired(TypedDict):
    status: Literal["running"]
    step_count: Union[int, None]


class RunStartedData(_RunStartedDataRequired, total=False):
    resumed: Literal[True]
    reason: "RestartReason"


RestartReason = Literal["resume", "maintenance_over", "model_available"]


class RunSucceededEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.succeeded"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunSucceededData"


class _RunSucceededDataRequired(TypedDict):
    status: Literal["succeeded"]
    step_count: int
    artifact_count: int
    duration_ms: int


class RunSucceededData(_RunSucceededDataRequired, total=False):
    credits_used: int


class RunFailedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.failed"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunFailedData"


class _RunFailedDataRequired(TypedDict):
    status: Literal["failed"]
    error: "RunError"
    resumable: bool
    duration_ms: int


class RunFailedData(_RunFailedDataRequired, total=False):
    step_index: int


class RunPausedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.paused"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunPausedData"


class _RunPausedDataRequired(TypedDict):
    status: Literal["paused"]
    reason: "WaitReason"


class RunPausedData(_RunPausedDataRequired, total=False):
    resume_at: int
    step_index: int


class RunCanceledEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["run.canceled"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "RunCanceledData"


class RunCanceledData(TypedDict):
    status: Literal["canceled"]
    reason: Literal["canceled_by_user"]
    step_index: Union[int, None]


class StepStartedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.started"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepStartedData"


class StepStartedData(TypedDict):
    step_index: int
    kind: "StepKind"
    title: str
    status: str
    attempt: int


class StepCompletedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.completed"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepCompletedData"


class _StepCompletedDataRequired(TypedDict):
    step_index: int
    kind: "StepKind"
    title: str
    status: str
    duration_ms: int


class StepCompletedData(_StepCompletedDataRequired, total=False):
    items_out: int


class StepFailedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.failed"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepFailedData"


class StepFailedData(TypedDict):
    step_index: int
    kind: "StepKind"
    title: str
    status: str
    error: "RunError"
    duration_ms: int


class StepSkippedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.skipped"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepSkippedData"


class _StepSkippedDataRequired(TypedDict):
    step_index: int
    kind: "StepKind"
    title: str
    status: str
    reason: Literal["checkpoint"]
    checkpoint_run_id: str


class StepSkippedData(_StepSkippedDataRequired, total=False):
    items_out: int


class StepRetryingEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.retrying"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepRetryingData"


class StepRetryingData(TypedDict):
    step_index: int
    kind: "StepKind"
    title: str
    status: str
    attempt: int
    max_attempts: int
    delay_ms: int
    error: "RunError"


class StepProgressEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["step.progress"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "StepProgressData"


class _StepProgressDataRequired(TypedDict):
    step_index: int
    kind: "StepKind"
    items_done: int
    items_total: int


class StepProgressData(_StepProgressDataRequired, total=False):
    message: str


class ArtifactCreatedEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["artifact.created"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "ArtifactCreatedData"


class _ArtifactCreatedDataRequired(TypedDict):
    artifact_id: str
    kind: "ArtifactKind"
    title: str


class ArtifactCreatedData(_ArtifactCreatedDataRequired, total=False):
    row_count: int
    step_index: int


class ConnectionExpiredEvent(TypedDict):
    id: str
    """Same as `event_id`."""
    event_id: str
    """Use it to drop duplicates and to resume a stream."""
    sequence: int
    """Orders the events of a run and has no other meaning. Page by cursor."""
    event_type: Literal["connection.expired"]
    occurred_at: int
    run_id: str
    api_version: str
    data: "ConnectionExpiredData"


class ConnectionExpiredData(TypedDict):
    reason: Literal["max_duration"]
    last_event_id: Union[str, None]
    max_duration_ms: int


class DeliveryList(TypedDict):
    object: Literal["list"]
    data: list["Delivery"]


class Delivery(TypedDict):
    event_id: str
    event_type: "WebhookEventType"
    url: str
    status: "DeliveryStatus"
    attempts: list["DeliveryAttempt"]


DeliveryStatus = Literal["pending", "delivered", "failed"]


class _DeliveryAttemptRequired(TypedDict):
    at: int
    duration_ms: int


class DeliveryAttempt(_DeliveryAttemptRequired, total=False):
    status_code: int
    error: str


class JobList(TypedDict):
    object: Literal["list"]
    data: list["ListedJob"]
    has_more: bool
    next_cursor: Union[str, None]


class _ListedJobRequired(TypedDict):
    job_id: str
    run_id: str
    step_index: int
    attempt: int
    source: str
    kind: "JobKind"
    status: "JobStatus"
    created_at: int
    deadline_at: int


class ListedJob(_ListedJobRequired, total=False):
    completed_at: int
    message: str
    items: int
    cost_usd: float


JobKind = Literal["job", "person"]


JobStatus = Literal["open", "completed", "failed", "canceled", "timed_out", "replaced"]


class _JobRequired(TypedDict):
    object: Literal["job"]
    job_id: str
    run_id: str
    step_index: int
    attempt: int
    source: str
    kind: "JobKind"
    status: "JobStatus"
    created_at: int
    deadline_at: int
    title: str
    instructions: str
    query: str
    limit: int
    entity_type: str
    items_in: list["JobItem"]
    traceparent: str


class Job(_JobRequired, total=False):
    completed_at: int
    message: str
    items: int
    cost_usd: float
    where: dict[str, "Json"]
    schema: "OutputSchemaAsSent"


class JobOpen(TypedDict):
    status: Literal["open"]


class JobAccepted(TypedDict):
    accepted: bool


class WorkspaceDeliveryList(TypedDict):
    object: Literal["list"]
    data: list["WorkspaceDelivery"]
    next_cursor: Union[str, None]
    has_more: bool


class WorkspaceDelivery(TypedDict):
    run_id: str
    created_at: int
    """When the run ended that it reports."""
    event_id: str
    event_type: "WebhookEventType"
    url: str
    status: "DeliveryStatus"
    attempts: list["DeliveryAttempt"]


class Redelivered(TypedDict):
    redelivered: int
    """How many deliveries have a new attempt due."""
    has_more: bool
    """Whether more failed deliveries remain."""


class KeyList(TypedDict):
    object: Literal["list"]
    data: list["Key"]


class Key(TypedDict):
    key_id: str
    name: str
    scopes: list["Scope"]
    created_at: int
    expires_at: Union[int, None]
    """Null for a key that does not expire. Of a rotated key, the end of its grace."""
    revoked_at: Union[int, None]
    daily_cost_limit_usd: Union[float, None]
    successor_of: Union[str, None]
    """The key that it replaces; null if it replaces none."""
    last_used_day: Union[str, None]
    """UTC day of its last request; null if it was never used."""


class NewKey(TypedDict):
    key_id: str
    name: str
    scopes: list["Scope"]
    created_at: int
    expires_at: Union[int, None]
    revoked_at: Union[int, None]
    daily_cost_limit_usd: Union[float, None]
    successor_of: Union[str, None]
    last_used_day: Union[str, None]
    api_key: str
    """The text of the key, for the Authorization header. No other reply has it."""


class AuditList(TypedDict):
    object: Literal["list"]
    data: list["AuditEntry"]
    next_cursor: Union[str, None]
    has_more: bool


class _AuditEntryRequired(TypedDict):
    at: int
    actor: str
    """Id of the key, or `admin` for an administrator."""
    action: "AuditAction"
    target: str
    """The key, the run (of a rerun the new one), the event id of the delivery, the entity (`*` for many) or the workspace."""
    request_id: str
    """Id of the request that made the change."""


class AuditEntry(_AuditEntryRequired, total=False):
    count: int
    """How many entities were created or updated, or deleted."""


AuditAction = Literal["key.create", "key.rotate", "key.revoke", "run.cancel", "run.resume", "run.rerun", "run.delete", "artifact.link", "entity.import", "entity.update", "entity.delete", "monitor.create", "monitor.update", "monitor.delete", "monitor.fire", "source.create", "source.update", "source.delete", "bridge.create", "bridge.update", "maintenance.start", "maintenance.end", "webhook.redeliver", "workspace.update"]


class UsageList(TypedDict):
    object: Literal["list"]
    data: list["UsageRow"]


class _UsageRowRequired(TypedDict):
    runs: int
    cost_usd: float
    input_tokens: int
    output_tokens: int
    p50_ms: Union[int, None]
    """Half of those that ended took at most this long. Exact for up to 1,000 runs of a day, else to two digits."""
    p95_ms: Union[int, None]
    """The same for 95 %. Null while none has ended."""


class UsageRow(_UsageRowRequired, total=False):
    day: str
    """With `day` in `by`: the UTC day on which the runs were created."""
    key_id: str
    """With `key`: the key that created them."""
    status: "RunStatus"
    """With `status`: the one that they have now."""
    input_type: "InputType"
    monitor_id: Union[str, None]
    """With `monitor`: the monitor whose fire made them; null: none."""
    model: Union[str, None]
    """With `model`: the model of their first call; null: they have made none."""


Artifact = Union["TableArtifact", "TextArtifact", "EntityCardArtifact"]


class _TableArtifactRequired(TypedDict):
    id: str
    object: Literal["artifact"]
    title: str
    run_id: str
    created_at: int
    kind: Literal["table"]
    row_count: int
    columns: list[str]
    rows: list[dict[str, "Json"]]
    """One object per row, keyed by column; strings are Markdown and may contain record links."""


class TableArtifact(_TableArtifactRequired, total=False):
    entity_refs: list["EntityLink"]


class EntityLink(TypedDict):
    entity_id: str
    role: "LinkRole"
    is_primary: bool
    source: "LinkSource"
    source_detail: "LinkSourceDetail"
    content_path: Union[str, None]
    """Dotted path in the content where the record is named, if any."""


LinkRole = Literal["subject", "recipient", "cc", "bcc"]


LinkSource = Literal["extractor", "manual"]


LinkSourceDetail = Literal["dossier_subject", "entity_card_subject", "email_to", "email_cc", "email_bcc", "user"]


class _TextArtifactRequired(TypedDict):
    id: str
    object: Literal["artifact"]
    title: str
    run_id: str
    created_at: int
    kind: Literal["text"]
    content: str
    """Markdown; its only links are record links."""


class TextArtifact(_TextArtifactRequired, total=False):
    entity_refs: list["EntityLink"]


class _EntityCardArtifactRequired(TypedDict):
    id: str
    object: Literal["artifact"]
    title: str
    run_id: str
    created_at: int
    kind: Literal["entity_card"]
    content: "CardContent"


class EntityCardArtifact(_EntityCardArtifactRequired, total=False):
    entity_refs: list["EntityLink"]


class CardContent(TypedDict):
    entity: "CardEntity"
    summary: str
    attributes: list["CardAttribute"]
    relationships: list["CardRelationship"]
    recent_activity: list["CardActivity"]
    as_of: int


class _CardEntityRequired(TypedDict):
    id: str
    name: str
    type: str


class CardEntity(_CardEntityRequired, total=False):
    external_uri: str
    external_id: str
    source: str


class CardAttribute(TypedDict):
    key: str
    label: str
    value: "Json"


class CardRelationship(TypedDict):
    entity_id: str
    name: str
    type: str
    relationship_type: str
    direction: "Direction"
    role: Union[str, None]


Direction = Literal["out", "in"]


class _CardActivityRequired(TypedDict):
    at: int
    text: str


class CardActivity(_CardActivityRequired, total=False):
    direction: "Direction"


class ArtifactLink(TypedDict):
    url: str
    """Everyone who has it can read the artifact."""
    expires_at: int
    """When it stops working."""


class Note(TypedDict):
    id: str
    object: Literal["note"]
    title: str
    content: str
    run_id: str
    entity_id: Union[str, None]
    workspace_id: str
    created_at: int


class EntityList(TypedDict):
    object: Literal["list"]
    data: list["FoundEntity"]


class _FoundEntityRequired(TypedDict):
    entity_id: str
    entity_name: str
    entity_type: str


class FoundEntity(_FoundEntityRequired, total=False):
    external_uri: str


class ResolveResults(TypedDict):
    results: list["ResolveResult"]


ResolveResult = Union["ResolvedEntity", "UnresolvedEntity"]


class ResolvedEntity(TypedDict):
    ref: "EntityRefAsSent"
    resolved: Literal[True]
    entity_id: str
    entity_name: str
    entity_type: str


class UnresolvedEntity(TypedDict):
    ref: "EntityRefAsSent"
    resolved: Literal[False]
    error: "ResolveError"


class ResolveError(TypedDict):
    code: Literal["entity_not_resolvable"]
    message: str


class EntityTypeList(TypedDict):
    object: Literal["list"]
    data: list["EntityType"]


class EntityType(TypedDict):
    type: str
    count: int
    fields: list["EntityField"]


class _EntityFieldRequired(TypedDict):
    field: str
    """Path of the field, as conditions name it."""
    kinds: list["FieldKind"]
    """What its values are. A nested object is described by its members; an empty one is of kind `object`. A field is of kind `date` alone where every value is a text that is one, as `2026-05-11` or as of RFC 3339; conditions compare it as a string."""
    count: int
    """How many records of the type have it."""
    samples: list[Union[str, float, bool]]
    """Some of its values; of a list, some elements. Long texts are cut."""


class EntityField(_EntityFieldRequired, total=False):
    min: Union[float, str]
    """Least of its numbers; of kind `date`, the earliest as it is written."""
    max: Union[float, str]
    """Greatest of its numbers; of kind `date`, the latest as it is written."""


FieldKind = Literal["string", "number", "boolean", "date", "list", "object"]


class SourceList(TypedDict):
    object: Literal["list"]
    data: list["Source"]


class Source(TypedDict):
    name: str
    kind: "SourceKind"
    description: str
    entity_type: str
    fields: list["SourceField"]


SourceKind = Literal["http", "mcp", "job", "person"]


class SourceField(TypedDict):
    name: str
    kind: "SourceFieldKind"


SourceFieldKind = Literal["string", "number", "boolean"]


class _EntityRequired(TypedDict):
    id: str
    type: str
    name: str
    fields: dict[str, "Json"]
    created_at: int
    updated_at: int
    object: Literal["entity"]
    relationships: list["EntityRelationship"]


class Entity(_EntityRequired, total=False):
    external_uri: str
    external_id: str
    source: "ExternalSource"


class EntityRelationship(TypedDict):
    direction: "Direction"
    """`out`: the relationship begins at this record."""
    type: str
    entity_id: str
    name: str
    entity_type: str


class ImportedEntities(TypedDict):
    imported: int
    """Lines that were taken: created, updated and unchanged."""
    created: int
    updated: int
    unchanged: int
    errors: list["LineError"]
    """Lines that were left out."""


class LineError(TypedDict):
    index: int
    """Index of the line in `records`."""
    message: str
    path: str
    """Dotted path of what is wrong in the line; empty for the line itself."""


class DeletedEntities(TypedDict):
    deleted: int
    has_more: bool
    """Whether more such records are left."""


class _MonitorRequired(TypedDict):
    id: str
    object: Literal["monitor"]
    name: str
    status: "MonitorStatus"
    key_id: str
    """The key whose runs the fires are: the one that sent `run` last, or the successor of that one."""
    run: "CreateRunAsSent"
    on: "TriggerAsSent"
    overlap: "Overlap"
    catch_up_seconds: int
    notify: "Notify"
    created_at: int
    next_fire_at: Union[int, None]
    """The next due time; null while paused, and on a change."""
    last_fire: "LastFire"
    """The newest fire; null if there is none."""


class Monitor(_MonitorRequired, total=False):
    plan: "MonitorPlan"


MonitorPlan = Union["PlanAsSent", None]


LastFire = Union["Fire", None]


class _FireRequired(TypedDict):
    id: str
    due_at: int
    """When it was due; of missed due times the first."""
    fired_at: int
    """When it was decided."""
    cause: "FireCause"
    outcome: "FireOutcome"


class Fire(_FireRequired, total=False):
    run_id: str
    reason: "FireReason"
    """Why there is no run: `overlap`, `missed`, `paused` or the code of the refusal."""
    until: int
    """The last of the missed due times."""
    count: int
    """How many due times were missed."""
    changes: "ChangeCounts"
    """Records that differ from the last succeeded run, where the monitor compares."""


FireCause = Literal["schedule", "change", "request"]


FireOutcome = Literal["run", "queued", "skipped", "refused"]


FireReason = Literal["overlap", "missed", "paused", "invalid_json", "unsupported_input_type", "unsupported_preset", "request_timeout", "payload_too_large", "unsupported_media_type", "misdirected_request", "schema_validation_failed", "missing_required_field", "query_ambiguous", "entity_ambiguous", "entity_not_resolvable", "plan_too_large", "step_too_costly", "output_invalid", "invalid_callback_url", "invalid_rerun_step", "auth_missing", "auth_invalid", "auth_expired", "forbidden_feature", "forbidden_workspace", "run_not_found", "artifact_not_found", "entity_not_found", "step_not_found", "job_not_found", "checkpoint_not_found", "workspace_not_found", "note_not_found", "monitor_not_found", "delivery_not_found", "key_not_found", "not_found", "idempotency_key_conflict", "external_uri_taken", "monitors_exceeded", "run_not_resumable", "job_over", "run_not_terminal", "plan_fingerprint_mismatch", "key_not_active", "key_in_use", "keys_exceeded", "canceled_by_user", "concurrent_runs_exceeded", "workspace_cost_cap_exceeded", "cost_threshold_exceeded", "rate_limit_exceeded", "internal_error", "model_refused", "model_answer_unusable", "model_unavailable", "source_failed", "usage_accounting_unavailable", "service_unavailable", "upstream_timeout", "run_timed_out"]


class ChangeCounts(TypedDict):
    added: int
    removed: int
    changed: int


class MonitorList(TypedDict):
    object: Literal["list"]
    data: list["ListedMonitor"]
    next_cursor: Union[str, None]
    has_more: bool


class ListedMonitor(TypedDict):
    id: str
    object: Literal["monitor"]
    name: str
    status: "MonitorStatus"
    key_id: str
    on: "TriggerAsSent"
    overlap: "Overlap"
    catch_up_seconds: int
    notify: "Notify"
    created_at: int
    next_fire_at: Union[int, None]
    last_fire: "LastFire"


class FireList(TypedDict):
    object: Literal["list"]
    data: list["Fire"]
    next_cursor: Union[str, None]
    has_more: bool


class SyncReply(TypedDict):
    success: Literal[True]
    processed_workspaces: int
    """Workspaces in which the message was applied."""


class SyncError(TypedDict):
    success: Literal[False]
    error: "SyncErrorCode"
    message: str


SyncErrorCode = Literal["invalid_payload", "invalid_signature", "timestamp_expired", "bridge_not_found", "payload_too_large", "unknown_resource_type", "internal_error", "service_unavailable"]


SyncFailure = Union["SyncError", "Error"]


class SiteAddresses(TypedDict):
    base_url: str
    docs_url: str
    openapi_url: str
    console_url: str


class Health(TypedDict):
    status: Literal["ok"]
    api_version: Literal["2026-11-20"]


OutputSchemaAsSent = TypedDict("OutputSchemaAsSent", {
    "type": "OutputTypes",
    "properties": dict[str, "OutputSchemaAsSent"],
    "required": list[str],
    "items": "OutputSchemaAsSent",
    "enum": list[Union[str, float, bool, None]],
    "minItems": int,
    "maxItems": int,
    "minimum": float,
    "maximum": float,
    "minLength": int,
    "maxLength": int,
    "format": "OutputFormat",
    "title": str,
    "description": str,
    "additionalProperties": Literal[False],
    "$schema": str,
    "$defs": dict[str, "OutputSchemaAsSent"],
    "$ref": str,
    "anyOf": list["OutputSchemaAsSent"],
    "const": Union[str, float, bool, None],
    "default": "Json",
}, total=False)
"""The part of JSON Schema that describes answers. The root is an `object`; every schema has a `type` or an `enum`; other keywords are refused, and so are bounds that no value can meet. What Zod and Pydantic print is expanded: `$schema`, `$defs` and `$ref`, `anyOf` of one type and null, `const`, `default`. At most 64 KB as compact JSON, 8 levels (`properties` and `items` each add one) and 200 properties in all."""


class PlanAsSent(TypedDict):
    """Exact steps, in the order they run."""

    title: str
    """Name of the plan."""
    steps: list["PlanStepAsSent"]


PlanStepAsSent = Union["FetchStepAsSent", "VectorSearchStepAsSent", "FilterStepAsSent", "TransformStepAsSent", "AnalyzeStepAsSent", "DiscoverStepAsSent", "ReconstituteStepAsSent", "InjectContextStepAsSent"]


class _FetchStepAsSentRequired(TypedDict):
    kind: Literal["fetch"]
    title: str
    """Shown to people who watch the run."""


class FetchStepAsSent(_FetchStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "FetchParamsAsSent"


class FetchParamsAsSent(TypedDict, total=False):
    """Retrieves records of a source: all, or those that match words."""

    source: str
    """Where to look: `entities`, an entity type, `notes`, `relationships`, `artifacts` or `global`. An entity type is one of the workspace, singular or plural; `global` needs `config.xray` or `config.global_search`. An unknown name yields no items and a warning."""
    query: str
    """Keeps records that match at least one of its words, best first; empty keeps all."""
    limit: int
    """Maximum number of records. To pick the best, fetch more and filter."""
    entity_types: list[str]
    """Only records of these types."""
    fields: list[str]
    """Only these fields of each record, named as in `where`; defaults to all of them. A field that no record has is named in the warning `field_not_found`."""
    sort: "SortAsSent"
    """Order of the items: a word, or one to three fields. Defaults to relevance if there is a query."""
    where: "WhereAsSent"
    """Keeps the records that meet the condition, in addition to `query`."""
    group_by: list["GroupFieldAsSent"]
    """Groups the records by these fields; the items are groups with their measures. Each field is named once. A record counts under at most 1,000 groups."""
    measures: list["MeasureAsSent"]
    """What is computed for each group; defaults to one `count`. Without `group_by`, all records form one group."""
    context_step_ids: list[int]
    """Steps whose items go with a job. For a source of kind `job` or `person` alone; indexes of earlier steps, at most 1000 items."""


_MeasureAsSentRequired = TypedDict("_MeasureAsSentRequired", {
    "as": str,
    "op": "MeasureOp",
})


class MeasureAsSent(_MeasureAsSentRequired, total=False):
    field: str


class _VectorSearchStepAsSentRequired(TypedDict):
    kind: Literal["vector_search"]
    title: str
    """Shown to people who watch the run."""


class VectorSearchStepAsSent(_VectorSearchStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "VectorSearchParamsAsSent"


class VectorSearchParamsAsSent(TypedDict, total=False):
    """Retrieves the records nearest in meaning to a query, with scores."""

    query: str
    """What to search for; defaults to the instructions of the step, then its title."""
    source: str
    """Where to look: `entities`, an entity type, `notes`, `relationships`, `artifacts` or `global`. An entity type is one of the workspace, singular or plural; `global` needs `config.xray` or `config.global_search`. An unknown name yields no items and a warning."""
    limit: int
    """Maximum number of records."""
    min_score: float
    """Records below this similarity are left out."""
    entity_types: list[str]
    """Only records of these types."""
    where: "WhereAsSent"
    """Only records that meet the condition."""


class _FilterStepAsSentRequired(TypedDict):
    kind: Literal["filter"]
    title: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""


class FilterStepAsSent(_FilterStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    params: "FilterParamsAsSent"


class FilterParamsAsSent(TypedDict, total=False):
    """Keeps the items that the instructions describe, best first."""

    steps_to_filter: list[int]
    """Indexes of the earlier steps whose items are used; defaults to the previous step."""
    limit_to: int
    """Maximum number of items to keep; defaults to all that match."""


class _TransformStepAsSentRequired(TypedDict):
    kind: Literal["transform"]
    title: str
    """Shown to people who watch the run."""


class TransformStepAsSent(_TransformStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "TransformParamsAsSent"


class TransformParamsAsSent(TypedDict, total=False):
    """Writes new fields for each item, items in parallel."""

    steps_to_transform: list[int]
    """Indexes of the earlier steps whose items are used; defaults to the previous step."""
    output_fields: list[str]
    """Names of the fields to write for each item."""
    limit: int
    """Maximum number of items to work on; above 100 only with `config.unlimited_transform`. Credits are reserved for this number and charged per item."""


class _AnalyzeStepAsSentRequired(TypedDict):
    kind: Literal["analyze"]
    title: str
    """Shown to people who watch the run."""


class AnalyzeStepAsSent(_AnalyzeStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "AnalyzeParamsAsSent"


class AnalyzeParamsAsSent(TypedDict, total=False):
    """Writes findings about the items of earlier steps."""

    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    focus: str
    """What to focus on."""
    max_tokens: int
    """Approximate length of the findings."""


class _DiscoverStepAsSentRequired(TypedDict):
    kind: Literal["discover"]
    title: str
    """Shown to people who watch the run."""


class DiscoverStepAsSent(_DiscoverStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "DiscoverParamsAsSent"


class DiscoverParamsAsSent(TypedDict, total=False):
    """Finds new records related to those of earlier steps, by relationships and similarity."""

    query: str
    """What the new records should be about; defaults to the instructions of the step."""
    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    entity_types: list[str]
    """Only records of these types."""
    limit: int
    """Maximum number of records."""
    depth: int
    """Maximum number of relationships between a known record and a new one."""


class _ReconstituteStepAsSentRequired(TypedDict):
    kind: Literal["reconstitute"]
    title: str
    """Shown to people who watch the run."""


class ReconstituteStepAsSent(_ReconstituteStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "ReconstituteParamsAsSent"


class ReconstituteParamsAsSent(TypedDict, total=False):
    """Writes the answer: the message and the artifacts."""

    context_step_ids: list[int]
    """Indexes of the earlier steps that are read; defaults to all of them."""
    expected_artifacts: list[str]
    """Each entry asks for one artifact: `table`, `text`, `entity_card`, or any other string as the title of a text. `NONE` asks for none. Case does not matter."""
    max_tokens: int
    """Approximate length of the answer."""


class _InjectContextStepAsSentRequired(TypedDict):
    kind: Literal["inject_context"]
    title: str
    """Shown to people who watch the run."""


class InjectContextStepAsSent(_InjectContextStepAsSentRequired, total=False):
    index: int
    """Unique and ascending; defaults to the position in the list. Steps refer to each other by it."""
    description: str
    """Shown to people who watch the run."""
    instructions: str
    """The only text that the step's model reads."""
    params: "InjectContextParamsAsSent"


class InjectContextParamsAsSent(TypedDict, total=False):
    """Gives text, records, notes or artifacts to later steps. At least one of its params is required."""

    text: str
    """Text, passed on unchanged."""
    entities: list["EntityRefAsSent"]
    """Records, by reference."""
    note_ids: list[str]
    artifact_ids: list[str]


EntityRefAsSent = Union["EntityByIdAsSent", "EntityByUriAsSent", "EntityByExternalIdAsSent"]
"""A record of the workspace: by id, by URI, or by external id together with its source."""


class EntityByIdAsSent(TypedDict):
    id: str


class EntityByUriAsSent(TypedDict):
    external_uri: str


class EntityByExternalIdAsSent(TypedDict):
    external_id: str
    source: "ExternalSource"


class _DossierParamsAsSentRequired(TypedDict):
    entity: "EntityRefAsSent"
    """The record that the dossier is about, preferably by its id."""


class DossierParamsAsSent(_DossierParamsAsSentRequired, total=False):
    sections: list[str]
    """Headings, in the order you want."""
    max_tokens: int
    """Approximate length of the text."""


class RunConfigAsSent(TypedDict, total=False):
    strict_mode: bool
    """Refuse an ambiguous query; `false` takes the best reading and warns."""
    xray: bool
    """Also draw on the global workspace. Scope `config:xray`."""
    global_search: bool
    """Search more broadly. Scope `config:global_search`."""
    unlimited_transform: bool
    """Let a transform work on up to 5000 items. Scope `config:unlimited_transform`."""
    max_cost_usd: float
    """Once the run has cost this much, it fails before its next model call; the code is `cost_threshold_exceeded`. It can then be resumed with a larger limit."""
    timeout_seconds: int
    """Seconds that the run may take from its start or resume; time in maintenance does not count. Past it nothing new begins: the run fails with `run_timed_out`, unless it has nothing left to do. It can then be resumed."""
    start_within_seconds: int
    """A run still pending after this time fails with `run_timed_out`. It counts from the creation or the resume."""
    model_wait_seconds: int
    """Seconds that the run waits in all while no model can be asked. Then it fails with `model_unavailable`, and can be resumed."""
    retain_seconds: int
    """The run is deleted this long after it ends. Without it a run is stored as long as the stage says."""
    keep_calls: bool
    """Keep the prompt and answer of each model call. They are in `GET /runs/{id}/calls`."""
    callback_url: str
    """https address that is notified when the run ends."""


CreateRunAsSent = Union["CreateQueryRunAsSent", "CreatePlanRunAsSent", "CreatePresetRunAsSent"]


class _CreateQueryRunAsSentRequired(TypedDict):
    input_type: Literal["query"]
    query: str
    """What you want, in plain language; the service plans the steps."""


class CreateQueryRunAsSent(_CreateQueryRunAsSentRequired, total=False):
    output_schema: "OutputSchemaAsSent"
    """What the data of the answer look like: `output` conforms to it. Needs a step `reconstitute`, the last of which writes the data."""
    config: "RunConfigAsSent"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


class _CreatePlanRunAsSentRequired(TypedDict):
    input_type: Literal["plan"]
    plan: "PlanAsSent"


class CreatePlanRunAsSent(_CreatePlanRunAsSentRequired, total=False):
    output_schema: "OutputSchemaAsSent"
    """What the data of the answer look like: `output` conforms to it. Needs a step `reconstitute`, the last of which writes the data."""
    config: "RunConfigAsSent"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


class _CreatePresetRunAsSentRequired(TypedDict):
    input_type: Literal["preset"]
    preset: Literal["dossier"]
    params: "DossierParamsAsSent"


class CreatePresetRunAsSent(_CreatePresetRunAsSentRequired, total=False):
    config: "RunConfigAsSent"
    callback_url: str
    metadata: dict[str, str]
    """Your own key-value pairs; the run carries them."""


TriggerAsSent = Union["ScheduleTriggerAsSent", "ChangeTriggerAsSent"]


class _ScheduleTriggerAsSentRequired(TypedDict):
    cron: str
    """Minute, hour, day, month and weekday: `*`, numbers, lists, ranges and steps. Of a day and a weekday either holds; 0 and 7 are Sunday."""


class ScheduleTriggerAsSent(_ScheduleTriggerAsSentRequired, total=False):
    timezone: str
    """Name of an IANA time zone, whose local time the pattern is."""


class ChangeTriggerAsSent(TypedDict):
    change: "RecordChangeAsSent"


class _RecordChangeAsSentRequired(TypedDict):
    types: list[str]
    """Types of records whose changes count."""


class RecordChangeAsSent(_RecordChangeAsSentRequired, total=False):
    where: "WhereAsSent"
    """Only records that meet it, before or after the change."""
    settle_seconds: int
    """How long after the last change the monitor fires; ten times that after the first at the latest."""


class EqualCondition(TypedDict):
    field: str
    op: "EqualOp"
    value: Union[str, float, bool]


class OrderCondition(TypedDict):
    field: str
    op: "OrderOp"
    value: Union[str, float]


class InCondition(TypedDict):
    field: str
    op: Literal["in"]
    value: list[Union[str, float, bool]]


class TextCondition(TypedDict):
    field: str
    op: "TextOp"
    value: str


class ExistsCondition(TypedDict):
    field: str
    op: Literal["exists"]
    value: bool


AndCondition = TypedDict("AndCondition", {
    "and": list["Where"],
})


OrCondition = TypedDict("OrCondition", {
    "or": list["Where"],
})


NotCondition = TypedDict("NotCondition", {
    "not": "Where",
})


class _FieldSortRequired(TypedDict):
    field: str


class FieldSort(_FieldSortRequired, total=False):
    direction: "SortDirection"


class FieldGroup(TypedDict):
    field: str
    by: "GroupedBy"


GroupedBy = Union["GroupPeriod", "GroupWidth"]


class GroupWidth(TypedDict):
    width: float


EqualOp = Literal["=", "!="]


OrderOp = Literal["<", "<=", ">", ">="]


TextOp = Literal["contains", "starts_with"]


SortWord = Literal["relevance", "updated_desc", "created_desc", "name_asc"]


SortDirection = Literal["asc", "desc"]


GroupPeriod = Literal["day", "week", "month", "quarter", "year"]


WhereAsSent = Union["EqualConditionAsSent", "OrderConditionAsSent", "InConditionAsSent", "TextConditionAsSent", "ExistsConditionAsSent", "AndConditionAsSent", "OrConditionAsSent", "NotConditionAsSent"]
"""A condition over fields, or `and`, `or`, `not` of conditions; at most 50 conditions, nested at most 5 deep. `field` is a path into the fields of a record (`address.city`) or `id`, `name`, `type`, `external_uri`, `external_id`, `source`, `created_at`, `updated_at`. Values are compared only with values of the same kind: `5` is not `\"5\"`."""


class EqualConditionAsSent(TypedDict):
    field: str
    op: "EqualOp"
    value: Union[str, float, bool]


class OrderConditionAsSent(TypedDict):
    field: str
    op: "OrderOp"
    value: Union[str, float]


class InConditionAsSent(TypedDict):
    field: str
    op: Literal["in"]
    value: list[Union[str, float, bool]]


class TextConditionAsSent(TypedDict):
    field: str
    op: "TextOp"
    value: str


class ExistsConditionAsSent(TypedDict):
    field: str
    op: Literal["exists"]
    value: bool


AndConditionAsSent = TypedDict("AndConditionAsSent", {
    "and": list["WhereAsSent"],
})


OrConditionAsSent = TypedDict("OrConditionAsSent", {
    "or": list["WhereAsSent"],
})


NotConditionAsSent = TypedDict("NotConditionAsSent", {
    "not": "WhereAsSent",
})


SortAsSent = Union["SortWord", list["FieldSortAsSent"]]


class _FieldSortAsSentRequired(TypedDict):
    field: str


class FieldSortAsSent(_FieldSortAsSentRequired, total=False):
    direction: "SortDirection"


GroupFieldAsSent = Union[str, "FieldGroupAsSent"]
"""A field: a group for each value, or with `by` for each period of dates (UTC) or step of numbers. The group then has the beginning as its value: `2026-05-11` (of a week its Monday), `2026-05`, `2026-Q2`, `2026`, or a number. Dates are texts as `2026-05-11` or as of RFC 3339, and epoch milliseconds; whole numbers of at most four digits are none. Any other value is `(none)`."""


class FieldGroupAsSent(TypedDict):
    field: str
    by: "GroupedByAsSent"


GroupedByAsSent = Union["GroupPeriod", "GroupWidthAsSent"]


class GroupWidthAsSent(TypedDict):
    width: float


RunEvent = Union["RunCreatedEvent", "RunPreValidationEvent", "RunStartedEvent", "RunSucceededEvent", "RunFailedEvent", "RunPausedEvent", "RunCanceledEvent", "StepStartedEvent", "StepCompletedEvent", "StepFailedEvent", "StepSkippedEvent", "StepRetryingEvent", "StepProgressEvent", "ArtifactCreatedEvent"]
"""An event of the log of a run."""


Row = dict[str, Any]
"""A row of a table, by column."""
