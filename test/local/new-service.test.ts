// A new AWS service is one row: resource types, endpoint, operations and rights all come from it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AwsError } from '../../lib/local/aws-endpoint/aws-protocol.ts';
import type { AwsService } from '../../lib/local/aws-service.ts';
import { awsServices } from '../../lib/local/aws-services.ts';
import { optionalString } from '../../lib/local/json-values.ts';
import { arn } from '../../lib/local/template/attributes.ts';
import { type Started, startFixture } from './fixture/start.ts';

const wall = arn('notes', 'wall/Wall');
const notes: AwsService = {
  name: 'notes',
  resources: {
    'AWS::Notes::Wall': (id) => ({ ref: id, Arn: arn('notes', `wall/${id}`), Colour: 'white' }),
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_NOTES',
    protocol: { format: 'json', version: '1.1' },
  },
  open({ stack }) {
    const walls = stack.ofType('AWS::Notes::Wall').map(({ attributes }) => attributes.Arn);
    const written: string[] = [];
    return {
      api: {
        operations: {
          WriteNote({ Wall, Text }) {
            if (!walls.includes(optionalString(Wall))) throw new AwsError('NoSuchWall', 'No such wall.');
            return { Count: written.push(String(Text)) };
          },
        },
        rightsOf: ({ operation, input }) => [
          { action: `notes:${operation}`, resource: optionalString(input.Wall) ?? '' },
        ],
      },
      figures: () => ({ written: written.length }),
    };
  },
};

let started: Started;
beforeAll(async () => {
  started = await startFixture(
    ({ Resources }) => {
      Resources.Wall = { Type: 'AWS::Notes::Wall' };
      Resources.MayWrite = {
        Type: 'AWS::IAM::Policy',
        Properties: {
          Roles: [{ Ref: 'WorkRole' }],
          PolicyDocument: {
            Statement: [
              { Effect: 'Allow', Action: 'notes:WriteNote', Resource: { 'Fn::GetAtt': ['Wall', 'Arn'] } },
            ],
          },
        },
      };
    },
    { services: [...awsServices, notes] },
  );
});
afterAll(() => started.end());

/** Sends WriteNote as a function of the stack would. */
async function write(functionName: 'Work' | 'Slow', input: object = { Wall: wall, Text: 'hello' }) {
  const env = await started.call(functionName, { action: 'env' });
  const credential = `${env.AWS_ACCESS_KEY_ID}/20260101/us-east-1/notes/aws4_request`;
  const reply = await fetch(String(env.AWS_ENDPOINT_URL_NOTES), {
    method: 'POST',
    headers: {
      authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=00`,
      'x-amz-target': 'Notes_20260101.WriteNote',
    },
    body: JSON.stringify(input),
  });
  const body: Record<string, unknown> = JSON.parse(await reply.text());
  return { status: reply.status, type: reply.headers.get('content-type'), body };
}

test('its resources have the attributes of the row', () => {
  expect(started.runtime.stack.resources.get('Wall')?.attributes).toMatchObject({
    ref: 'Wall',
    Arn: wall,
    Colour: 'white',
  });
});

test('a function whose role holds the right reaches its operation', async () => {
  expect(await write('Work')).toEqual({
    status: 200,
    type: 'application/x-amz-json-1.1',
    body: { Count: 1 },
  });
  expect(started.runtime.services.get('notes')?.figures?.()).toEqual({ written: 1 });
});

test('a function whose role lacks the right is refused', async () => {
  const { status, body } = await write('Slow');
  expect(status).toBe(400);
  expect(body).toMatchObject({ __type: 'AccessDeniedException' });
  expect(body.message).toContain(`is not authorized to perform: notes:WriteNote on resource: ${wall}`);
});

test('without its row the template is refused', async () => {
  const withoutRow = startFixture(({ Resources }) => {
    Resources.Wall = { Type: 'AWS::Notes::Wall' };
  });
  await expect(withoutRow).rejects.toThrow('does not know the resource type AWS::Notes::Wall');
});
