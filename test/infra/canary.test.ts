// Deployments with a canary: what stands behind an alias, who calls it, and what ends the deployment.
import { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { fields, list, ofType, only, synthesize, text } from '../support/synthesize.ts';

const template = synthesize({ canary_minutes: '10' });
const aliases = ofType(template, 'AWS::Lambda::Alias');

test('without the setting no function has an alias, and nothing of CodeDeploy is there', () => {
  const types = Object.values(synthesize().Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /Alias|Version|CodeDeploy/.test(type))).toEqual([]);
});

test('what creates and executes runs stands behind an alias, which a tenth of the calls tries for ten minutes', () => {
  const names = Object.values(aliases).map(({ Properties }) => text(Properties.FunctionName));
  expect(names.toSorted()).toEqual(['<ExecuteSteps>', '<Start>']);
  const groups = ofType(template, 'AWS::CodeDeploy::DeploymentGroup');
  for (const { UpdatePolicy } of Object.values(aliases)) {
    const { DeploymentGroupName } = fields(fields(UpdatePolicy).CodeDeployLambdaAliasUpdate);
    const group = groups[text(DeploymentGroupName).slice(1, -1)];
    expect(group?.Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent10Minutes');
    const { Enabled, Alarms } = fields(group?.Properties.AlarmConfiguration);
    expect(Enabled).toBe(true);
    const alarms = list(Alarms).map((alarm) =>
      text(fields(alarm).Name).replace(/^<Alarms|[0-9A-F]{8}>$/g, ''),
    );
    expect(alarms).toEqual([
      ...['ServerErrors', 'StartErrors', 'ExecuteStepsErrors', 'FailRunErrors', 'LogIllegal'],
    ]);
    expect(fields(group?.Properties.AutoRollbackConfiguration).Events).toContain('DEPLOYMENT_STOP_ON_ALARM');
  }
});

test('API and state machine call the aliases, with the right to do so', () => {
  const [create, execute] = ['Start', 'ExecuteSteps'].map((name) =>
    Object.keys(aliases).find((id) => text(aliases[id]?.Properties.FunctionName) === `<${name}>`),
  );
  const calls = Object.values(ofType(template, 'AWS::ApiGateway::Method')).map(({ Properties }) =>
    JSON.stringify(Properties.Integration),
  );
  expect(calls.some((call) => call.includes(`"${create}"`))).toBe(true);
  expect(calls.some((call) => call.includes('"Start"'))).toBe(false);
  const machine = JSON.stringify(only(template, 'AWS::StepFunctions::StateMachine').Properties);
  expect(machine).toContain(`"${execute}"`);
  expect(machine).not.toContain('"ExecuteSteps"');
  const invokers = Object.values(ofType(template, 'AWS::Lambda::Permission')).map(({ Properties }) =>
    text(Properties.FunctionName),
  );
  expect(invokers).toContain(`<${create}>`);
  // Executions that started before call the function itself.
  const rights = JSON.stringify(only(template, 'AWS::IAM::Policy').Properties);
  expect(rights).toContain(`"${execute}"`);
  expect(rights).toContain('"ExecuteSteps"');
});

test('with 0 minutes the aliases stay, and no alarm stops what mends one', () => {
  const atOnce = synthesize({ canary_minutes: '0' });
  expect(Object.keys(ofType(atOnce, 'AWS::Lambda::Alias'))).toEqual(Object.keys(aliases));
  for (const { Properties } of Object.values(ofType(atOnce, 'AWS::CodeDeploy::DeploymentGroup'))) {
    expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce');
    expect(fields(Properties.AlarmConfiguration ?? {}).Enabled).not.toBe(true);
  }
});

test('it takes eight resources, and makes no circle', () => {
  const count = (of: typeof template) => Object.keys(of.Resources).length;
  expect(count(template) - count(synthesize())).toBe(8);
  expect(() => Template.fromJSON(template)).not.toThrow();
});
