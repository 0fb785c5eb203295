// What `npm run deploy -- --help` prints: the settings of a stage, the first five before the others.

const GROUPS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  [
    'What most deployments set',
    {
      model: 'required, or models: offline, bedrock:MODEL_ID or openai:MODEL@BASE_URL',
      stack: 'name of the stack; default RunService',
      retain_days: 'days after which a run is deleted; default never',
      deletion_protection: 'false for a first deployment: one that fails leaves nothing behind; default true',
      monthly_budget_usd: 'a budget over the account, with an alarm; default none',
    },
  ],
  [
    'Models',
    {
      models: 'path of a models file, in place of model, embedding_model and prices',
      embedding_model: 'as model; default offline',
      prices: 'price table as JSON; default built in',
      max_parallel_calls: 'model calls of one step in flight; default 8',
      model_wait_seconds: 'how long a run waits while no model can be asked; default 3600',
    },
  ],
  [
    'Memory and time',
    {
      step_memory_mb: 'of ExecuteSteps; default 1024',
      index_memory_mb: 'of Records; default 3008',
      slice_seconds: 'when a slice ends; default 480',
      steps_per_slice: 'ends a slice after so many steps; default unlimited',
      vectors: 'table or s3: where vectors are searched; default table',
    },
  ],
  [
    'Requests',
    {
      requests_per_second: 'throttle of each method of a route; default 1000',
      route_requests_per_second: 'other throttles of single routes, as JSON',
      waf_requests_per_5_minutes: 'a limit for one address, by a firewall; default none',
      waf_address_header: 'the header with the address, behind a proxy',
      account_concurrency: 'of the account, for alarms and reservations; default 1000',
      reserved_concurrency: 'executions reserved for functions, as JSON',
    },
  ],
  [
    'Addresses, logs and deployments',
    {
      site_url: 'a custom domain in front of the API',
      otlp_endpoint: 'an OpenTelemetry collector for traces; default none',
      log_retention_days: 'default 30',
      api_gateway_log_role: 'makes the log role of the account; default true',
      canary_minutes: '0, 5, 10, 15 or 30: tries a tenth of the calls first; default none',
      restored_table: 'a restored table, until it is imported',
      allow_older_release: 'true, by --allow-older-release: this release may follow a later one',
    },
  ],
];

/** The page. */
export function usagePage(): string {
  const width = Math.max(
    ...GROUPS.flatMap(([, settings]) => Object.keys(settings).map((name) => name.length)),
  );
  const sections = GROUPS.map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`);
    return `${title}:\n${rows.join('\n')}\n`;
  });
  return [
    'usage: npm run deploy -- -c model=SPEC [-c SETTING=VALUE]… [--allow-replacement NAME]… [--profile P]\n',
    'Deploys the stack into the account and region of your credentials. Refused where a resource with state would be',
    'replaced or removed, unless --allow-replacement has its name, and where the stack is of a later release, unless',
    '--allow-older-release is set. Other flags are those of: npx cdk deploy --help\n',
    ...sections,
    'Before the first one: npx cdk bootstrap -c model=SPEC. docs/operate.md has more on each setting.\n',
  ].join('\n');
}
