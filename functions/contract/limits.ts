// Every number of the published contract, once. Units are in the names.

/** Delays before the second and later attempts; they imply the number of attempts. */
const webhook_retry_delays_seconds = [30, 120] as const;
const model_retry_delays_ms = [2000, 4000] as const;

export const limits = {
  query_max_characters: 4000,
  plan_max_steps: 50,
  step_params_max_bytes: 64 * 1024,
  body_max_bytes: 1024 * 1024,
  json_max_depth: 64,
  json_object_max_members: 1000,
  error_reply_max_bytes: 16 * 1024,
  error_value_max_characters: 200,
  issues_max: 100,
  issue_path_max_characters: 1000,
  plan_title_max_characters: 200,
  step_description_max_characters: 1000,
  step_instructions_max_characters: 8000,
  instruction_comparisons_max: 50,
  sections_max: 12,
  section_max_characters: 80,
  transform_default_items: 100,
  transform_unlimited_items: 5000,
  groups_per_record_max: 1000,
  step_pairs_max: 5_000_000,
  step_reading_max_ms: 20 * 1000,
  metadata_max_pairs: 16,
  metadata_key_max_characters: 64,
  metadata_value_max_characters: 512,
  run_cost_max_usd: 10_000,
  idempotency_key_max_characters: 255,
  request_id_max_characters: 128,
  agent_id_max_characters: 200,
  resource_address_max_characters: 200,
  event_retention_days: 30,
  event_token_lifetime_ms: 5 * 60 * 1000,
  stream_max_duration_ms: 10 * 60 * 1000,
  stream_heartbeat_ms: 15 * 1000,
  keep_open_ms: 25 * 1000,
  understanding_timeout_ms: 45 * 1000,
  events_page_default: 100,
  events_page_max: 1000,
  runs_page_default: 20,
  runs_page_max: 100,
  runs_page_max_bytes: 4 * 1024 * 1024,
  run_title_query_characters: 120,
  resolve_max_refs: 100,
  entities_page_default: 20,
  entities_page_max: 100,
  entities_query_max_characters: 500,
  entities_type_max_characters: 100,
  external_uri_max_characters: 1000,
  webhook_attempts: 1 + webhook_retry_delays_seconds.length,
  webhook_retry_delays_seconds,
  webhook_timeout_ms: 10 * 1000,
  webhook_tolerance_seconds: 300,
  delivery_attempts_stored: 100,
  sync_timestamp_age_ms: 5 * 60 * 1000,
  pull_timeout_ms: 10 * 1000,
  pull_max_bytes: 1024 * 1024,
  model_attempts: 1 + model_retry_delays_ms.length,
  model_retry_delays_ms,
  model_call_timeout_ms: 120 * 1000,
  filter_batch_items: 25,
  progress_interval_ms: 1000,
  inline_body_max_bytes: 64 * 1024,
  run_report_inline_max_bytes: 512,
  run_record_max_bytes: 350_000,
  message_max_characters: 200_000,
  artifact_title_max_characters: 600,
  note_max_characters: 500_000,
  run_warnings_max: 200,
  run_errors_max: 200,
  run_error_message_max_characters: 500,
  warning_refs_max: 20,
  warning_ref_max_characters: 200,
} as const;

/** The date that names this version of the contract; pinned to a run at creation (rules.md: envelope 2). */
export const API_VERSION = '2026-11-20';

/** The limits of each tier (rules.md: capacity); both numbers can be overridden per workspace. */
export const tiers = {
  free: { max_concurrent_runs: 3, daily_cost_cap_usd: 5 },
  pro: { max_concurrent_runs: 25, daily_cost_cap_usd: 100 },
  enterprise: { max_concurrent_runs: 100, daily_cost_cap_usd: 1000 },
} as const;

/** Credits of everything but a plan's steps (rules.md: credits), which are in the table of steps. */
export const credits = {
  dossier: 100,
  unplanned_query: 400,
} as const;
