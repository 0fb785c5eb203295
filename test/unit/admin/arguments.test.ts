// The command line of the admin CLI: what it understands and what it refuses (rules.md: admin).
import { describe, expect, test } from 'vitest';
import { CliError } from '../../../bin/admin/cli-error.ts';
import { usages } from '../../../bin/admin/command-table.ts';
import { type Asked, readArguments } from '../../../bin/admin/read-arguments.ts';
import { Command } from '../../../functions/admin/commands.ts';

const ID = '6f1d2c3b-0a4e-4b5c-8d6e-7f8091a2b3c4';

/** Reads arguments that ask for a command. */
async function commandOf(args: string[]): Promise<Asked> {
  const asked = await readArguments(args);
  if (typeof asked === 'string') throw new Error('a usage page was printed');
  return asked;
}

async function errorOf(args: string): Promise<CliError> {
  try {
    await readArguments(args.split(' ').filter(Boolean));
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
  throw new Error(`"${args}" was understood`);
}

describe('arguments', () => {
  test('flags become fields of the command, numbers as numbers, lists as lists', async () => {
    const { name, fields, target } = await commandOf(
      'workspace create --name Acme --tier pro --features WEBHOOK_INTEGRATION,GLOBAL_SEARCH --credits 500 --daily-cost-cap-usd 2.5'.split(
        ' ',
      ),
    );
    expect(name).toBe('workspace create');
    expect(fields).toEqual({
      name: 'Acme',
      tier: 'pro',
      features: ['WEBHOOK_INTEGRATION', 'GLOBAL_SEARCH'],
      credits: 500,
      daily_cost_cap_usd: 2.5,
    });
    expect(target).toEqual({ dataDir: '.local' });
  });

  test('an id comes after the verb', async () => {
    expect((await commandOf(['workspace', 'show', ID])).fields).toEqual({ workspace_id: ID });
    expect((await commandOf(['maintenance', 'start'])).fields).toEqual({});
  });

  test('scopes are "all" or a list', async () => {
    const scopes = async (text: string) =>
      (await commandOf(['key', 'create', '--workspace', ID, '--scopes', text])).fields.scopes;
    expect(await scopes('all')).toBe('all');
    expect(await scopes('runs:create, runs:read')).toEqual(['runs:create', 'runs:read']);
  });

  test.each([['--features', ''], ['--features=']])('an empty list clears: %j', async (...flag) => {
    expect((await commandOf(['workspace', 'update', ID, ...flag])).fields).toEqual({
      workspace_id: ID,
      features: [],
    });
  });

  test('a deployed stack is named by --stack and --region', async () => {
    const { target } = await commandOf('workspace show x --stack RunService --region eu-west-1'.split(' '));
    expect(target).toEqual({ stack: 'RunService', region: 'eu-west-1' });
  });

  test.each([
    ['', 'unknown_command'],
    ['workspace', 'unknown_command'],
    ['workspace destroy', 'unknown_command'],
    ['constructor x', 'unknown_command'],
    ['workspace create', 'invalid_arguments'],
    ['workspace show', 'invalid_arguments'],
    [`workspace show ${ID} ${ID}`, 'invalid_arguments'],
    [`workspace update ${ID}`, 'invalid_arguments'],
    ['workspace create --name a --name b', 'invalid_arguments'],
    ['workspace create --name a --color red', 'invalid_arguments'],
    ['workspace create --name a --constructor red', 'invalid_arguments'],
    ['key create', 'invalid_arguments'],
    ['workspace create --name', 'invalid_arguments'],
    ['workspace create --name a --credits many', 'invalid_arguments'],
    ['workspace create --name a --credits 0x10', 'invalid_arguments'],
    ['workspace create --name a --credits Infinity', 'invalid_arguments'],
    ['entity import --workspace w', 'invalid_arguments'],
    ['workspace create --name a --stack s --data-dir d', 'invalid_arguments'],
    ['workspace create --name a --region r', 'invalid_arguments'],
  ])('"%s" is refused', async (args, code) => {
    const { code: found, message } = await errorOf(args);
    expect(found).toBe(code);
    expect(message).not.toContain('\n');
  });

  test.each([
    ['workspce show', 'unknown noun workspce; did you mean workspace?'],
    ['workspace shw', 'unknown command workspace shw; did you mean workspace show?'],
    ['workspace show x --stak s', 'unknown flag --stak; did you mean --stack?'],
    ['key create --scope all', 'unknown flag --scope; did you mean --scopes?'],
  ])('"%s" is answered with the nearest word', async (args, line) => {
    expect((await errorOf(args)).message).toContain(line);
  });

  test('every command of the CLI is one that the admin function takes', () => {
    const taken = Command.options.map((option) => option.shape.command.value as string);
    for (const name of Object.keys(usages)) expect(taken).toContain(name.replace(' ', '.'));
  });
});
