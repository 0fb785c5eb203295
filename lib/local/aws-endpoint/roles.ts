// The role check: every request needs permissions that the template gives to the role of its function.
import type { Policies } from '../iam/policies.ts';
import { isAllowed, type Right, type Statement } from '../iam/statements.ts';
import { ACCOUNT } from '../template/attributes.ts';
import { AwsError } from './aws-protocol.ts';
import type { CheckRole } from './dispatcher.ts';

/** A caller and its permissions. */
interface Caller {
  caller: string;
  role: string;
  statements: readonly Statement[];
}

/** The service's error for a refusal. */
interface Denial {
  code: string;
  status: number;
}

const DENIED: Denial = { code: 'AccessDeniedException', status: 400 };

/** Checks one caller's requests and caches what is allowed. Throws AwsError for a missing permission. */
export function roleCheck(
  { caller, role, statements }: Caller,
  { code, status }: Denial = DENIED,
): (rights: readonly Right[]) => void {
  const allowed = new Map<string, boolean>();
  const unconditional = statements.filter(({ conditions }) => Object.keys(conditions).length === 0);

  function isKnownAllowed(right: Right): boolean {
    // Its values are many.
    if (right.context) return isAllowed(statements, right);
    const name = `${right.action} ${right.resource}`;
    const known = allowed.get(name) ?? isAllowed(unconditional, right);
    allowed.set(name, known);
    return known;
  }

  return (rights) => {
    const missing = rights.find((right) => !isKnownAllowed(right));
    if (!missing) return;
    throw new AwsError(
      code,
      `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${caller} is not authorized to perform: ${missing.action} on resource: ${missing.resource} because no identity-based policy allows the ${missing.action} action`,
      status,
    );
  };
}

/** Checks the requests of all callers. The operator may do everything. */
export function roleChecks(policies: Policies): CheckRole {
  const checks = new Map<string, ReturnType<typeof roleCheck>>();
  return (request, { endpoint, api }) => {
    const { caller, service } = request;
    if (caller === 'operator') return;
    const name = `${caller} ${service}`;
    const role = policies.roleOf(caller) ?? '';
    const check =
      checks.get(name) ??
      roleCheck({ caller, role, statements: policies.statementsOf(role) }, endpoint.denied);
    checks.set(name, check);
    check(api.rightsOf(request));
  };
}
