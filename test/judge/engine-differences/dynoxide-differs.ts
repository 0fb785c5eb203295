// Where dynoxide answers otherwise than AWS does, or words it otherwise: no fault of an engine that follows AWS.
import type { Accepted } from './accepted.ts';
import { dynamoDbLocalDiffers } from './dynamodb-local-differs.ts';

/** Differences of an engine that follows AWS from dynoxide. */
export const dynoxideDiffers: readonly Accepted[] = [...dynamoDbLocalDiffers];
