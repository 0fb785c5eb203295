// The globals that the Lambda runtime gives to functions that stream.

import type { Writable } from 'node:stream';
import type { Context } from 'aws-lambda';

declare global {
  const awslambda: {
    streamifyResponse<E>(
      handler: (event: E, output: Writable, context: Context) => Promise<void>,
    ): (event: E, output: Writable, context: Context) => Promise<void>;
    HttpResponseStream: {
      from(output: Writable, metadata: { statusCode: number; headers: Record<string, string> }): Writable;
    };
  };
}
