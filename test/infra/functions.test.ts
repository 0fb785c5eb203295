// The functions in the template: names, runtime, time, memory, variables, logs.
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { httpFunctions } from '../../functions/contract/routes.ts';
import { entries, type FunctionName, functionNames } from '../../lib/entries.ts';
import { fields, functionOf, ofType, synthesize, text } from '../support/synthesize.ts';

const template = synthesize({
  steps_per_slice: '1',
  prices: '{"m":{"input":1,"cached_input":0.1,"output":4}}',
});
const variablesOf = (name: FunctionName) => fields(fields(functionOf(template, name).Environment).Variables);

describe('functions', () => {
  test('logical ids are the names of the functions that serve routes, and of those behind them', () => {
    expect(Object.keys(ofType(template, 'AWS::Lambda::Function')).sort()).toEqual(
      [
        ...httpFunctions,
        ...['ExecuteSteps', 'ParkRun', 'FailRun', 'Sweep', 'DeliverWebhook'],
        ...[
          'FireMonitors',
          'Records',
          'CompactRecords',
          'AuditRecords',
          'StartAudits',
          'CheckRelease',
          'Admin',
        ],
      ].sort(),
    );
  });

  test('the stack with every part that a stage may have has fewer than 380 of the 500 resources of CloudFormation', () => {
    const everything = synthesize({
      model: 'openai:m@https://models.example/v1',
      vectors: 's3',
      waf_requests_per_5_minutes: '1000',
      monthly_budget_usd: '100',
      otlp_endpoint: 'https://collector.example/v1/traces',
      canary_minutes: '10',
    });
    expect(Object.keys(everything.Resources).length).toBeLessThan(380);
  });

  test('resources depend on each other without a circle', () => {
    expect(() => Template.fromJSON(template)).not.toThrow();
  });

  test('entry files are named after the functions', () => {
    expect(entries).toMatchObject({
      Read: 'functions/http/read-routes.ts',
      Mcp: 'functions/http/mcp-routes.ts',
      Site: 'functions/docs/site.ts',
      ExecuteSteps: 'functions/jobs/execute-steps.ts',
      DeliverWebhook: 'functions/jobs/deliver-webhook.ts',
      Admin: 'functions/admin/admin.ts',
    });
  });

  test.each(functionNames)('%s runs on Node 24, arm64, with tracing', (name) => {
    expect(functionOf(template, name)).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
      TracingConfig: { Mode: 'Active' },
    });
  });

  test.each(functionNames)(
    '%s logs JSON; Lambda adds a line only when something is wrong, or for indexes',
    (name) => {
      const opensIndexes = 'RECORD_INDEX_DIR' in variablesOf(name);
      expect(functionOf(template, name)).toMatchObject({
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: opensIndexes ? 'INFO' : 'WARN' },
      });
    },
  );

  test.each(functionNames)('%s names lines of the source in its stacks', (name) => {
    expect(variablesOf(name).NODE_OPTIONS).toBe('--enable-source-maps');
  });

  test('a stage reserves concurrency for functions by name; without that the two that readers can hold have a part of the account', () => {
    const reserving = (of: typeof template) =>
      functionNames.filter((name) => 'ReservedConcurrentExecutions' in functionOf(of, name));
    expect(reserving(template)).toEqual(['Download', 'Stream']);
    expect(reserving(synthesize({ account_concurrency: '10' }))).toEqual([]);
    const own = synthesize({ reserved_concurrency: '{"Stream":100,"Sweep":1}' });
    expect(reserving(own)).toEqual(['Stream', 'Sweep']);
    expect(functionOf(own, 'Stream').ReservedConcurrentExecutions).toBe(100);
  });

  test('a stage with a retention for runs passes it to every function that writes or reads them', () => {
    const variables = (name: FunctionName, of = synthesize({ retain_days: '365' })) =>
      fields(fields(functionOf(of, name).Environment).Variables);
    expect(variables('Start').RETAIN_DAYS).toBe('365');
    expect(variables('Start', template)).not.toHaveProperty('RETAIN_DAYS');
  });

  test('a stage sets the memory of the function that waits for models, and of the one that reads records', () => {
    const own = synthesize({ step_memory_mb: '512', index_memory_mb: '4096' });
    expect(functionOf(own, 'ExecuteSteps').MemorySize).toBe(512);
    expect(functionOf(own, 'Records').MemorySize).toBe(4096);
  });

  test('time and memory fit the work', () => {
    const fit = functionNames.map((name) => {
      const { Timeout, MemorySize } = functionOf(template, name);
      return `${name} ${Timeout} s ${MemorySize} MB`;
    });
    expect(fit).toEqual([
      'Read 29 s 512 MB',
      'Download 55 s 512 MB',
      'Change 29 s 512 MB',
      'Write 20 s 512 MB',
      'Start 55 s 512 MB',
      'Restart 20 s 512 MB',
      'Keys 10 s 512 MB',
      'Entities 29 s 1024 MB',
      'Stream 660 s 256 MB',
      'Sync 29 s 512 MB',
      'Mcp 75 s 512 MB',
      'Site 10 s 512 MB',
      'ExecuteSteps 900 s 1024 MB',
      'ParkRun 30 s 512 MB',
      'FailRun 30 s 512 MB',
      'Sweep 60 s 512 MB',
      'DeliverWebhook 20 s 512 MB',
      'FireMonitors 75 s 512 MB',
      'Records 59 s 3008 MB',
      'CompactRecords 900 s 3008 MB',
      'AuditRecords 900 s 3008 MB',
      'StartAudits 300 s 512 MB',
      'CheckRelease 60 s 512 MB',
      'Admin 300 s 1024 MB',
    ]);
  });

  test('the disks of the functions that open record indexes hold those of large workspaces', () => {
    const sizes = functionNames.map((name) => [name, functionOf(template, name).EphemeralStorage] as const);
    expect(Object.fromEntries(sizes.filter(([, size]) => size !== undefined))).toEqual({
      Records: { Size: 4096 },
      CompactRecords: { Size: 10_240 },
      AuditRecords: { Size: 10_240 },
    });
    expect(variablesOf('Records').RECORD_INDEX_DISK_MB).toBe('4096');
  });

  test('logs are kept for the days of the stage and encrypted', () => {
    const groups = Object.values(ofType(template, 'AWS::Logs::LogGroup'));
    expect(groups.length).toBe(functionNames.length + 2);
    for (const { Properties, DeletionPolicy } of groups) {
      expect(Properties.RetentionInDays).toBe(30);
      expect(text(Properties.KmsKeyId)).toBe('<DataKey.Arn>');
      expect(DeletionPolicy).toBe('Delete');
    }
  });
});

describe('variables', () => {
  test.each(functionNames)('%s counts and logs under the name of its stack', (name) => {
    expect(text(variablesOf(name).POWERTOOLS_SERVICE_NAME)).toBe('<AWS::StackName>');
  });

  test.each(functionNames)('%s knows where the service is reached', (name) => {
    expect(text(variablesOf(name).SITE_URL)).toBe(
      'https://<RestApi>.execute-api.<AWS::Region>.<AWS::URLSuffix>/api',
    );
  });

  test('names of resources are given to those who may use them', () => {
    const holders = (variable: string) => functionNames.filter((name) => variable in variablesOf(name));
    expect(holders('SIGNING_KEY_ID')).toEqual(['Keys', 'Sync', 'ExecuteSteps', 'DeliverWebhook', 'Admin']);
    expect(holders('STREAM_URL')).toEqual(['Read', 'Site']);
    expect(holders('BASE_URL')).toEqual(['Mcp', 'ExecuteSteps']);
    expect(holders('DELIVERY_QUEUE_URL')).toEqual([
      'Change',
      'Write',
      'Start',
      'ExecuteSteps',
      'FailRun',
      'Sweep',
      'DeliverWebhook',
      'FireMonitors',
      'Admin',
    ]);
    expect(holders('RECORDS_FUNCTION')).toEqual([
      'Read',
      'Start',
      'Entities',
      'ExecuteSteps',
      'FireMonitors',
      'Admin',
    ]);
    expect(holders('RECORD_INDEX_DIR')).toEqual(['Records', 'CompactRecords', 'AuditRecords', 'Admin']);
    expect(holders('FIRE_QUEUE_URL')).toEqual([
      'Write',
      'Start',
      'Entities',
      'Sync',
      'ExecuteSteps',
      'FailRun',
      'Sweep',
      'FireMonitors',
      'Admin',
    ]);
    expect(holders('COMPACTION_QUEUE_URL')).toEqual(['Sweep']);
    expect(holders('AUDIT_QUEUE_URL')).toEqual(['StartAudits']);
    expect(functionNames.filter((name) => !('TABLE_NAME' in variablesOf(name)))).toEqual(['Mcp', 'Site']);
  });

  test('settings of the stage reach the functions that follow them', () => {
    expect(variablesOf('ExecuteSteps')).toMatchObject({
      MODEL: 'offline',
      PRICES: '{"m":{"input":1,"cached_input":0.1,"output":4}}',
      BASE_URL: expect.anything(),
      SLICE_MS: '480000',
      STEPS_PER_SLICE: '1',
      MAX_PARALLEL_CALLS: '8',
    });
    expect(variablesOf('Restart')).toMatchObject({ MODEL: 'offline' });
    expect(variablesOf('Change')).not.toHaveProperty('MODEL');
  });

  test('no variable holds a secret or says where the function runs', () => {
    const allowed =
      /^(TABLE_NAME|BUCKET_NAME|STATE_MACHINE_ARN|DELIVERY_QUEUE_URL|FIRE_QUEUE_URL|SERVICE_SECRET_ARN|SIGNING_KEY_ID|SITE_URL|STREAM_URL|BASE_URL|MODEL|PRICES|SLICE_MS|STEPS_PER_SLICE|RECORDS_FUNCTION|RECORD_INDEX_DIR|RECORD_INDEX_DISK_MB|COMPACTION_QUEUE_URL|AUDIT_QUEUE_URL|MAX_PARALLEL_CALLS|MODEL_WAIT_SECONDS|POWERTOOLS_SERVICE_NAME|POWERTOOLS_LOG_LEVEL|NODE_OPTIONS)$/;
    const unknown = functionNames
      .flatMap((name) => Object.keys(variablesOf(name)))
      .filter((v) => !allowed.test(v));
    expect(unknown).toEqual([]);
  });
});
