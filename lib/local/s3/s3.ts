// S3: the template's buckets, as far as functions use them.
import type { AwsService } from '../aws-service.ts';
import { inert, named } from '../template/attributes.ts';
import { openObjects } from './s3-objects.ts';

const ACTIONS: Record<string, string> = { HeadObject: 's3:GetObject' };

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
    throttled: { code: 'SlowDown', message: 'Please reduce your request rate.', status: 503 },
  },
  open({ stack, file }) {
    const buckets = stack.ofType('AWS::S3::Bucket').map(({ attributes }) => attributes.ref);
    const objects = openObjects(buckets, file('objects'));
    return { api: { answer: objects.answer, rightsOf }, stop: objects.close };
  },
};

/** Only objects have operations here, buckets have none. */
function operationOf(method: string, path: string): string | undefined {
  const operations: Record<string, string> = {
    GET: 'GetObject',
    HEAD: 'HeadObject',
    PUT: 'PutObject',
    DELETE: 'DeleteObject',
  };
  return /^\/[^/]+\/./.test(path) ? operations[method] : undefined;
}

export function rightsOf({ operation, path }: { operation: string; path: string }) {
  const object = decodeURIComponent(path.slice(1));
  return [{ action: ACTIONS[operation] ?? `s3:${operation}`, resource: `arn:aws:s3:::${object}` }];
}
