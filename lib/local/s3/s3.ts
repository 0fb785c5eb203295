// S3: the template's buckets, with the operations that functions use.
import type { AwsRequest } from '../aws-endpoint/aws-request.ts';
import type { AwsService } from '../aws-service.ts';
import { inert, named } from '../template/attributes.ts';
import { openObjects } from './s3-objects.ts';

const ACTIONS: Record<string, string> = {
  ListObjectVersions: 's3:ListBucketVersions',
};

export const s3: AwsService = {
  name: 's3',
  resources: {
    'AWS::S3::Bucket': (id, properties) => {
      const name = named('BucketName', id.toLowerCase(), properties);
      return { ref: name, Arn: `arn:aws:s3:::${name}` };
    },
    'AWS::S3::BucketPolicy': inert,
  },
  endpoint: {
    variable: 'AWS_ENDPOINT_URL_S3',
    protocol: { format: 'rest-xml', operationOf },
    denied: { code: 'AccessDenied', status: 403 },
  },
  open({ stack, file }) {
    const buckets = stack.ofType('AWS::S3::Bucket').map(({ attributes }) => attributes.ref);
    const objects = openObjects(buckets, file('objects'));
    return { api: { answer: objects.answer, rightsOf }, stop: objects.close };
  },
};

/** Operations on objects; of a bucket, only its versions can be listed. */
function operationOf(method: string, path: string): string | undefined {
  const operations: Record<string, string> = {
    GET: 'GetObject',
    PUT: 'PutObject',
    DELETE: 'DeleteObject',
  };
  if (/^\/[^/]+\/./.test(path)) return operations[method];
  return method === 'GET' ? 'ListObjectVersions' : undefined;
}

export function rightsOf({ operation, path, query }: Pick<AwsRequest, 'operation' | 'path' | 'query'>) {
  const object = decodeURIComponent(path.slice(1)).replace(/\/$/, '');
  const ofVersion = operation === 'DeleteObject' && query.has('versionId');
  const action = ofVersion ? 's3:DeleteObjectVersion' : (ACTIONS[operation] ?? `s3:${operation}`);
  return [{ action, resource: `arn:aws:s3:::${object}` }];
}
