// Table of contents of `runs`: every command, and how a command line is run.
import {
  buildApplication,
  buildRouteMap,
  help,
  type PartialApplicationConfiguration,
  run,
  text_en,
  version,
} from '@stricli/core';
import { withLocalFolder } from './argument-parsers.ts';
import { scanner } from './command-line.ts';
import { artifact } from './commands/artifact.ts';
import { cancel, remove, rerun, resume } from './commands/change-run.ts';
import { completion } from './commands/completion.ts';
import { create } from './commands/create.ts';
import { get as entity, resolve, search, types } from './commands/entity.ts';
import { importFile } from './commands/import.ts';
import { jobCommands, work } from './commands/job.ts';
import { audit, create as createKey, list as keys, revoke, rotate } from './commands/key.ts';
import { link } from './commands/link.ts';
import { list } from './commands/list.ts';
import { login, logout, whoami } from './commands/login.ts';
import { mcp } from './commands/mcp-command.ts';
import { commands as monitorCommands } from './commands/monitor.ts';
import { get, tail, trace, watch } from './commands/read.ts';
import { usage } from './commands/show-usage.ts';
import { list as sources } from './commands/source-list.ts';
import { list as deliveries, listen, redeliver, redeliverFailed } from './commands/webhook-commands.ts';
import { COMPLETE, proposals } from './completion/proposals.ts';
import { exitCodes } from './exit-codes.ts';
import manifest from './package.json' with { type: 'json' };
import type { Context, Surroundings } from './surroundings.ts';
import { texts } from './usage-error.ts';

const root = buildRouteMap({
  routes: {
    ...{
      login,
      logout,
      whoami,
      create,
      watch,
      tail,
      list,
      get,
      artifact,
      import: importFile,
      link,
      trace,
      cancel,
      resume,
      rerun,
      delete: remove,
    },
    entity: buildRouteMap({
      routes: { types, search, get: entity, resolve },
      docs: { brief: 'find and read records of the workspace' },
    }),
    monitor: buildRouteMap({
      routes: monitorCommands,
      docs: { brief: 'runs that are made again by the clock or on a change' },
    }),
    jobs: buildRouteMap({
      routes: jobCommands,
      docs: { brief: 'what runs wait for: work for your own programs, questions to people' },
    }),
    work,
    source: buildRouteMap({
      routes: { list: sources },
      docs: { brief: 'live sources of the workspace' },
    }),
    webhooks: buildRouteMap({
      routes: { listen, list: deliveries, redeliver, redeliverFailed },
      docs: { brief: 'forward webhooks to your receiver, list and repeat deliveries' },
    }),
    key: buildRouteMap({
      routes: { list: keys, create: createKey, rotate, revoke },
      docs: { brief: 'manage the keys of the workspace' },
    }),
    usage,
    audit,
    completion,
    mcp,
  },
  docs: {
    brief: 'Asynchronous runs: create, watch, read and change them',
    fullDescription: `Asynchronous runs: create, watch, read and change them.

  runs create -q 'Companies in Berlin' --watch --local
  runs entity types --local`,
  },
});

const configuration: Omit<PartialApplicationConfiguration, 'name'> = {
  scanner,
  documentation: { disableAnsiColor: true },
  localization: { text: texts },
};

const applicationFor = (name: string) =>
  buildApplication<Context>(
    root,
    { name, ...configuration },
    {
      version: version({ brief: 'print the version', info: { currentVersion: manifest.version } }),
      help: help({
        brief: text_en.briefs.help,
        defaultForRouteMap: true,
        formatting: {
          useAliasInUsageLine: true,
          onlyRequiredInUsageLine: true,
          caseStyle: 'convert-camel-to-kebab',
        },
      }),
    },
  );

/** Runs one command line of a program that is called `name` and returns the exit code of the process. */
export async function runCli(
  args: readonly string[],
  surroundings: Surroundings,
  name = 'runs',
): Promise<number> {
  const { stdout, stderr, env, cwd } = surroundings;
  const process = { stdout, stderr, env, exitCode: undefined as number | undefined };
  const context: Context = { ...surroundings, process, exitCode: exitCodes.ok };
  const application = applicationFor(name);
  if (args[0] === COMPLETE) {
    stdout.write(await proposals(application, args.slice(1), context));
    return exitCodes.ok;
  }
  await run(application, withLocalFolder(args, cwd), context);
  // stricli uses negative exit codes for command lines that it cannot parse.
  return (process.exitCode ?? 0) < 0 ? exitCodes.usage : context.exitCode;
}
