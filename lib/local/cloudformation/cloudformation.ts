// CloudFormation: functions ask it about their own stack, which one machine makes at each start.
import { AwsError } from '../aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../aws-service.ts';
import { inert } from '../template/attributes.ts';

/** A form names its operation in the body. */
const formOf = (body: Buffer) => new URLSearchParams(body.toString());
const stackIn = (body: Buffer) => formOf(body).get('StackName') ?? '';

export const cloudformation: AwsService = {
  name: 'cloudformation',
  // No deployment asks its function: release.json does for a folder what this resource does for a table.
  resources: { 'Custom::Release': inert },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_CLOUDFORMATION',
    protocol: { format: 'rest-xml', operationOf: () => 'DescribeStacks' },
    denied: { code: 'AccessDenied', status: 403 },
  },
  open: () => ({
    api: {
      rightsOf: ({ body }) => [
        { action: `cloudformation:${formOf(body).get('Action')}`, resource: stackIn(body) },
      ],
      async answer({ body }) {
        const action = formOf(body).get('Action');
        if (action !== 'DescribeStacks')
          throw new AwsError('UnknownOperationException', `${action} is not known locally.`);
        return {
          status: 200,
          headers: { 'content-type': 'text/xml' },
          body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>RunService</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>CREATE_COMPLETE</StackStatus></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
        };
      },
    },
  }),
};
