// Every function of the service and the file with its handler.
import { type RouteName, routeNames } from '../functions/contract/routes.ts';

/** Functions without a route: tasks of the state machine, queue workers, scheduled jobs and the admin function. */
const backgroundFunctions = {
  ExecuteSteps: 'functions/jobs/execute-steps.ts',
  ParkRun: 'functions/jobs/park-run.ts',
  FailRun: 'functions/jobs/fail-run.ts',
  Sweep: 'functions/jobs/sweep.ts',
  DeliverWebhook: 'functions/jobs/deliver-webhook.ts',
  FireMonitors: 'functions/jobs/fire-monitors.ts',
  Records: 'functions/jobs/records.ts',
  CompactRecords: 'functions/jobs/compact-records.ts',
  AuditRecords: 'functions/jobs/audit-records.ts',
  StartAudits: 'functions/jobs/start-audits.ts',
  Admin: 'functions/admin/admin.ts',
} as const;

export type FunctionName = RouteName | keyof typeof backgroundFunctions;

const kebabCase = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter}`).toLowerCase();

/** Entry file of a route's function: `functions/api` and the route's name, except for the site and the MCP server. */
function routeEntry(name: RouteName): string {
  if (name === 'Console') return 'functions/docs/site.ts';
  return name === 'Mcp' ? 'functions/mcp/mcp.ts' : `functions/api/${kebabCase(name)}.ts`;
}

const routeEntries = Object.fromEntries(routeNames.map((name) => [name, routeEntry(name)])) as Record<
  RouteName,
  string
>;

/** Function name (also its logical id) to entry file, relative to the project's root. */
export const entries: Readonly<Record<FunctionName, string>> = { ...routeEntries, ...backgroundFunctions };
export const functionNames = Object.keys(entries) as FunctionName[];
