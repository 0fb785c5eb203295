// Stage settings that together cover every variation of the template, for cdk-nag and the like.

/** Each is the context of one synthesis. The first has nothing but what a stage must have. */
export const stageSettings: readonly Readonly<Record<string, unknown>>[] = [
  { model: 'offline' },
  {
    model: 'offline',
    stack: 'Staging',
    deletion_protection: false,
    restored_table: 'restored',
    allow_older_release: true,
    site_url: 'https://runs.example',
    retain_days: 90,
    otlp_endpoint: 'https://collector.example/v1/traces',
    account_concurrency: 500,
    api_gateway_log_role: true,
  },
  { model: 'offline', vectors: 's3' },
  { model: 'bedrock:eu.amazon.nova-lite-v1:0', embedding_model: 'bedrock:amazon.titan-embed-text-v2:0' },
  {
    model: 'openai:m@https://models.example/v1',
    prices: { m: { input: 1, cached_input: 0, output: 2 } },
    slice_seconds: 60,
    steps_per_slice: 1,
    max_parallel_calls: 32,
    model_wait_seconds: 0,
    step_memory_mb: 3008,
    index_memory_mb: 4096,
  },
  {
    models: {
      chat: [
        {
          name: 'large',
          provider: 'bedrock',
          model: 'eu.amazon.nova-pro-v1:0',
          region: 'eu-central-1',
          price: { input: 1, cached_input: 0, output: 2 },
        },
        {
          name: 'small',
          provider: 'openai',
          model: 'm',
          base_url: 'https://models.example/v1',
          key_env: 'SMALL_KEY',
          price: { input: 1, cached_input: 0, output: 2 },
        },
      ],
      tasks: { filter: 'small' },
    },
  },
  {
    model: 'offline',
    reserved_concurrency: { Stream: 100, ExecuteSteps: 500, Sweep: 2 },
    requests_per_second: 100,
    route_requests_per_second: { CreateRun: 20 },
    waf_requests_per_5_minutes: 1000,
    monthly_budget_usd: 100,
    waf_address_header: 'X-Forwarded-For',
    log_retention_days: 365,
    canary_minutes: 10,
  },
];
