// Every function of the service and the file with its handler.
import { type HttpFunction, httpFunctions } from '../functions/contract/routes.ts';

/** Functions without a route: tasks of the state machine, queue workers, scheduled jobs, admin, the release check. */
const backgroundFunctions = {
  ExecuteSteps: 'functions/jobs/execute-steps.ts',
  ParkRun: 'functions/jobs/park-run.ts',
  FailRun: 'functions/jobs/fail-run.ts',
  Sweep: 'functions/jobs/sweep.ts',
  DeliverWebhook: 'functions/jobs/deliver-webhook.ts',
  FireMonitors: 'functions/jobs/fire-monitors.ts',
  Records: 'functions/jobs/answer-questions.ts',
  CompactRecords: 'functions/jobs/compact-records.ts',
  AuditRecords: 'functions/jobs/audit-records.ts',
  StartAudits: 'functions/jobs/start-audits.ts',
  CheckRelease: 'functions/jobs/check-release.ts',
  Admin: 'functions/admin/admin.ts',
} as const;

export type BackgroundFunction = keyof typeof backgroundFunctions;
export type FunctionName = HttpFunction | BackgroundFunction;

/** The site imports neither the routes nor what they check, so that its pages come fast from a cold start. */
const httpEntry = (name: HttpFunction) =>
  name === 'Site' ? 'functions/docs/site.ts' : `functions/http/${name.toLowerCase()}-routes.ts`;

/** Function name (also its logical id) to entry file, relative to the project's root. */
export const entries: Readonly<Record<FunctionName, string>> = {
  // One for each name of the type.
  ...(Object.fromEntries(httpFunctions.map((name) => [name, httpEntry(name)])) as Record<
    HttpFunction,
    string
  >),
  ...backgroundFunctions,
};
export const functionNames = Object.keys(entries) as FunctionName[];
