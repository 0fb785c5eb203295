// Whether there is an account to deploy into, asked before the bundling, which takes longer.
import { GetCallerIdentityCommand, type STSClient } from '@aws-sdk/client-sts';
import { awsProblem } from '../admin/aws-problem.ts';

/** A line on why nothing can be deployed; undefined when the credentials are those of an account. */
export async function missingAccount(client: STSClient): Promise<string | undefined> {
  try {
    await client.config.region();
    await client.send(new GetCallerIdentityCommand());
    return undefined;
  } catch (error) {
    return awsProblem(error).message;
  }
}
