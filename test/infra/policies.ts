// What the template allows each role, as plain lines.
import * as z from 'zod';
import type { FunctionName } from '../../lib/entries.ts';
import { functionOf, ofType, type Template, text } from '../support/synthesize.ts';

const list = <T extends z.ZodType>(item: T) =>
  z.union([item, z.array(item)]).transform((value) => [value].flat());
const Statement = z.object({
  Effect: z.literal('Allow'),
  Action: list(z.string()),
  Resource: list(z.unknown()),
  Condition: z.unknown().optional(),
});
export type Statement = z.infer<typeof Statement>;
const Policy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) });
const Attached = Policy.extend({ Roles: z.array(z.object({ Ref: z.string() })) });

/** Logical id of a function's role. */
export function roleOf(template: Template, name: FunctionName): string {
  const role = z
    .object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })
    .parse(functionOf(template, name).Role);
  return role['Fn::GetAtt'][0];
}

/** All statements within a role and attached to it. */
export function statementsOf(template: Template, role: string): Statement[] {
  const within = z.array(Policy).parse(template.Resources[role]?.Properties.Policies ?? []);
  const attached = Object.values(ofType(template, 'AWS::IAM::Policy'))
    .map(({ Properties }) => Attached.parse(Properties))
    .filter(({ Roles }) => Roles.some(({ Ref }) => Ref === role));
  return [...within, ...attached].flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

const Owners = z.object({ StringLike: z.record(z.string(), list(z.string())) });

/** The condition on an action, for the values that it names. */
function conditionOf({ Condition }: Statement): string {
  const { success, data } = Owners.safeParse(Condition);
  return success ? `(${Object.values(data.StringLike).flat().join('|')})` : '';
}

/** What a role may do: resource to its actions, sorted and joined by a blank. */
export function rightsOf(template: Template, role: string): Record<string, string> {
  const rights = new Map<string, Set<string>>();
  for (const statement of statementsOf(template, role)) {
    for (const resource of statement.Resource.map(text)) {
      const actions = rights.get(resource) ?? new Set();
      for (const action of statement.Action) actions.add(`${action}${conditionOf(statement)}`);
      rights.set(resource, actions);
    }
  }
  return Object.fromEntries(
    [...rights].map(([resource, actions]) => [resource, [...actions].sort().join(' ')]),
  );
}
