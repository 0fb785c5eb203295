// rules.md: versions 3. What CloudFormation needs for the check of a release.
import { expect, test } from 'vitest';
import { functionNames } from '../../lib/entries.ts';
import project from '../../package.json' with { type: 'json' };
import { functionOf, only, synthesize, text } from '../support/synthesize.ts';
import { roleOf, statementsOf } from './policies.ts';

const template = synthesize();
const mark = only(template, 'Custom::Release');

test('the check is asked again for another release, another table, or where an earlier release is meant', () => {
  expect(mark.Properties).toMatchObject({
    Release: project.version,
    AllowOlderRelease: 'false',
    ServiceToken: { 'Fn::GetAtt': ['CheckRelease', 'Arn'] },
  });
  expect(text(mark.Properties.TableName)).toBe('<Table>');
  const meant = synthesize({ allow_older_release: 'true', restored_table: 'restored-1' });
  expect(only(meant, 'Custom::Release').Properties).toMatchObject({
    AllowOlderRelease: 'true',
    TableName: 'restored-1',
  });
});

test.each(functionNames.filter((name) => name !== 'CheckRelease'))(
  'neither %s nor what it may do changes before the check',
  (name) => {
    for (const id of [name, roleOf(template, name)])
      expect([template.Resources[id]?.DependsOn].flat(), id).toContain('ReleaseMark');
  },
);

test('CloudFormation waits longer than all tries of the function take, and not its default of an hour', () => {
  const waits = Number(mark.Properties.ServiceTimeout);
  // Lambda tries a failed request again after one minute and after two more.
  expect(waits).toBeGreaterThan(3 * Number(functionOf(template, 'CheckRelease').Timeout) + 180);
  expect(waits).toBeLessThan(3600);
});

test('the function may use one item of the table', () => {
  const onTable = statementsOf(template, roleOf(template, 'CheckRelease')).filter(({ Resource }) =>
    Resource.map(text).includes('<Table.Arn>'),
  );
  expect(onTable.map(({ Action, Condition }) => [Action, Condition])).toEqual([
    [
      ['dynamodb:GetItem', 'dynamodb:PutItem'],
      { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['RELEASE'] } },
    ],
  ]);
});
