// How the clients make each call, shown in the reference next to curl. A test runs every line.

interface ClientSample {
  typescript: string;
  /** Absent where the client for Python has no such call. */
  python?: string;
}

/** By operation. The streams' tokens are the watch's own business; a bridge signs its messages without a client. */
export const clientSamples: Readonly<Record<string, ClientSample>> = {
  CreateRun: {
    typescript:
      "const { id } = await service.runs.create({ input_type: 'query', query: 'Companies in Berlin' });\n" +
      'const run = await service.runs.wait(id);',
    python:
      'run = client.runs.create({"input_type": "query", "query": "Companies in Berlin"})\n' +
      'run = client.runs.wait(run["id"])',
  },
  ListRuns: {
    typescript: "for await (const run of service.runs.list({ status: 'failed' })) console.log(run.id);",
    python: 'page = client.runs.list(status="failed")',
  },
  GetRun: {
    typescript: 'const run = await service.runs.get(id, { plan: true });',
    python: 'run = client.runs.get(id, plan=True)',
  },
  CancelRun: {
    typescript: 'const run = await service.runs.cancel(id);',
    python: 'run = client.runs.cancel(id)',
  },
  ResumeRun: {
    typescript: 'const run = await service.runs.resume(id);',
    python: 'run = client.runs.resume(id)',
  },
  RerunRun: {
    typescript: 'const run = await service.runs.rerun(id, { step_index: 1 });',
    python: 'run = client.runs.rerun(id, step_index=1)',
  },
  DeleteRun: { typescript: 'await service.runs.delete(id);', python: 'client.runs.delete(id)' },
  ListEvents: {
    typescript: 'const page = await service.runs.events(id, { limit: 100 });',
    python: 'page = client.runs.events(id, limit=100)',
  },
  StreamEvents: {
    typescript: 'for await (const event of service.runs.watch(id)) console.log(event.event_type);',
    python: 'for event in client.runs.watch(id):\n    print(event["event_type"])',
  },
  ListDeliveries: {
    typescript: 'const deliveries = await service.deliveries.list(id);',
    python: 'deliveries = client.deliveries.list(id)',
  },
  RedeliverWebhook: {
    typescript: 'const delivery = await service.deliveries.redeliver(id, eventId);',
    python: 'delivery = client.deliveries.redeliver(id, event_id)',
  },
  GetArtifact: {
    typescript: 'for await (const row of service.artifacts.rows(id)) console.log(row);',
    python: 'for row in client.artifacts.rows(id):\n    print(row)',
  },
  CreateArtifactLink: {
    typescript: 'const { url } = await service.artifacts.link(id, { expires_in_seconds: 3600 });',
    python: 'link = client.artifacts.link(id, expires_in_seconds=3600)',
  },
  GetTrace: {
    typescript: 'const trace = await service.runs.trace(id);',
    python: 'trace = client.runs.trace(id)',
  },
  ListCalls: {
    typescript: 'for await (const { task, answer } of service.runs.calls(id)) console.log(task, answer);',
    python: 'page = client.runs.calls(id)',
  },
  ListStepItems: {
    typescript: "const { total, data } = await service.runs.items(id, 1, { which: 'dropped' });",
    python: 'page = client.runs.items(id, 1, which="dropped")',
  },
  ListJobs: {
    typescript:
      "for await (const { job_id, source } of service.jobs.list({ status: 'open' })) console.log(job_id, source);",
    python: 'page = client.jobs.list(status="open")',
  },
  GetJob: {
    typescript: 'const { title, items_in } = await service.jobs.get(id);',
    python: 'job = client.jobs.get(id)',
  },
  ProgressJob: {
    typescript: 'await service.jobs.progress(id, { items_done: 1, items_total: 2 });',
    python: 'client.jobs.progress(id, items_done=1, items_total=2)',
  },
  AddJobItems: {
    typescript: "await service.jobs.items(id, { page: 0, items: [{ name: 'Norddata' }] });",
    python: 'client.jobs.items(id, page=0, items=[{"name": "Norddata"}])',
  },
  CompleteJob: {
    typescript: "await service.jobs.complete(id, { items: [{ name: 'Norddata', fields: { score: 7 } }] });",
    python: 'client.jobs.complete(id, items=[{"name": "Norddata", "fields": {"score": 7}}])',
  },
  FailJob: {
    typescript: "await service.jobs.fail(id, { message: 'Not found', retry: false });",
    python: 'client.jobs.fail(id, message="Not found", retry=False)',
  },
  ListSources: {
    typescript: 'const sources = await service.sources.list();',
    python: 'sources = client.sources.list()',
  },
  GetNote: {
    typescript: 'const note = await service.notes.get(id);',
    python: 'note = client.notes.get(id)',
  },
  SearchEntities: {
    typescript: "const found = await service.entities.search({ query: 'nord', type: 'company' });",
    python: 'found = client.entities.search(query="nord", type="company")',
  },
  ResolveEntities: {
    typescript: "const found = await service.entities.resolve({ external_uri: 'crm:norddata' });",
    python: 'found = client.entities.resolve({"external_uri": "crm:norddata"})',
  },
  ListEntityTypes: {
    typescript: 'const types = await service.entities.types();',
    python: 'types = client.entities.types()',
  },
  GetEntity: {
    typescript: 'const record = await service.entities.get(id);',
    python: 'record = client.entities.get(id)',
  },
  ImportEntities: {
    typescript:
      'const { created, errors } = await service.entities.import([\n' +
      "  { type: 'order', name: 'Order 25', fields: { total: 99.5 }, external_uri: 'shop:25' },\n" +
      ']);',
    python:
      'answer = client.entities.import_records([\n' +
      '    {"type": "order", "name": "Order 25", "fields": {"total": 99.5}, "external_uri": "shop:25"},\n' +
      '])',
  },
  UpdateEntity: {
    typescript: 'const record = await service.entities.update(id, { fields: { paid: true } });',
    python: 'record = client.entities.update(id, fields={"paid": True})',
  },
  DeleteEntity: {
    typescript: 'await service.entities.delete(id);',
    python: 'client.entities.delete(id)',
  },
  DeleteEntities: {
    typescript: "const { deleted, has_more } = await service.entities.deleteMany({ type: 'order' });",
    python: 'answer = client.entities.delete_many(type="order")',
  },
  CreateMonitor: {
    typescript:
      'const monitor = await service.monitors.create({\n' +
      "  name: 'Berlin',\n" +
      "  run: { input_type: 'query', query: 'Companies in Berlin' },\n" +
      "  on: { cron: '0 7 * * 1-5' },\n" +
      '});',
    python:
      'monitor = client.monitors.create({\n' +
      '    "name": "Berlin",\n' +
      '    "run": {"input_type": "query", "query": "Companies in Berlin"},\n' +
      '    "on": {"cron": "0 7 * * 1-5"},\n' +
      '})',
  },
  ListMonitors: {
    typescript: 'for await (const one of service.monitors.list()) console.log(one.name, one.next_fire_at);',
    python: 'page = client.monitors.list()',
  },
  GetMonitor: {
    typescript: 'const monitor = await service.monitors.get(id);',
    python: 'monitor = client.monitors.get(id)',
  },
  UpdateMonitor: {
    typescript: "const monitor = await service.monitors.update(id, { status: 'paused' });",
    python: 'monitor = client.monitors.update(id, status="paused")',
  },
  DeleteMonitor: {
    typescript: 'await service.monitors.delete(id);',
    python: 'client.monitors.delete(id)',
  },
  FireMonitor: {
    typescript: 'const { outcome, run_id } = await service.monitors.fire(id);',
    python: 'fire = client.monitors.fire(id)',
  },
  ListFires: {
    typescript:
      'for await (const fire of service.monitors.fires(id)) console.log(fire.outcome, fire.run_id);',
    python: 'page = client.monitors.fires(id)',
  },
  ListAllDeliveries: {
    typescript:
      "for await (const one of service.deliveries.all({ status: 'failed' })) console.log(one.run_id);",
    python: 'page = client.deliveries.all(status="failed")',
  },
  RedeliverFailed: {
    typescript: 'const { redelivered } = await service.deliveries.redeliverAll();',
    python: 'answer = client.deliveries.redeliver_all()',
  },
  ListKeys: {
    typescript: 'const keys = await service.keys.list();',
    python: 'keys = client.keys.list()',
  },
  CreateKey: {
    typescript: "const key = await service.keys.create({ name: 'Reports', scopes: ['runs:read'] });",
    python: 'key = client.keys.create(name="Reports", scopes=["runs:read"])',
  },
  RotateKey: {
    typescript: 'const key = await service.keys.rotate(id, { grace_seconds: 3600 });',
    python: 'key = client.keys.rotate(id, grace_seconds=3600)',
  },
  RevokeKey: {
    typescript: 'await service.keys.revoke(id);',
    python: 'client.keys.revoke(id)',
  },
  ListAudit: {
    typescript: 'for await (const entry of service.audit.list()) console.log(entry.action, entry.target);',
    python: 'page = client.audit.list()',
  },
  GetUsage: {
    typescript:
      "for (const { day, runs, cost_usd } of await service.usage({ from: '2026-11-01' })) console.log(day, runs, cost_usd);",
    python: 'rows = client.usage(from_="2026-11-01", by=["day", "status"])',
  },
  GetMe: { typescript: 'const me = await service.me();', python: 'me = client.me()' },
};
