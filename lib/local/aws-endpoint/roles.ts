// The role check: every request needs the rights that the template gives to the role of the function that signed it.
import type { Policies } from '../iam/policies.ts';
import { ACCOUNT } from '../template/attributes.ts';
import { AwsError } from './aws-protocol.ts';
import type { Guard } from './endpoint-server.ts';

/** A guard that refuses requests whose signer's role lacks a right, in the words of the service. The operator may do all. */
export function roleGuard(policies: Policies): Guard {
  return async (request, { endpoint, api }, forward) => {
    if (request.caller === 'operator') return forward(request);
    const role = policies.roleOf(request.caller) ?? '';
    const missing = api.rightsOf(request).find((right) => !policies.allows(role, right));
    if (!missing) return forward(request);
    const { code, status } = endpoint.denied ?? { code: 'AccessDeniedException', status: 400 };
    throw new AwsError(
      code,
      `User: arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${request.caller} is not authorized to perform: ${missing.action} on resource: ${missing.resource} because no identity-based policy allows the ${missing.action} action`,
      status,
    );
  };
}
