// Invoked by CloudFormation before a deployment changes any other function: writes the release into the table, or fails
// the deployment where a later one has written there (rules.md: versions 3). The answer goes to an address that
// CloudFormation waits at.
import * as z from 'zod';
import { isNewer } from '#contract/release-order.ts';
import { isRollingBack } from '#orchestration/stack-status.ts';
import { withinTime } from '#platform/deadline.ts';
import { describe, log } from '#platform/log.ts';
import { pause } from '#platform/pause.ts';
import { markTable, writerOfTable } from '#store/table/release-mark.ts';

/** After that the deployment fails: the answer takes some of the 60 s of this function. */
const DECIDED_WITHIN_MS = 40_000;
const ANSWERED_WITHIN_MS = 10_000;
const NEXT_TRY_MS = 1000;

const Request = z.object({
  RequestType: z.enum(['Create', 'Update', 'Delete']),
  /** A caller that has it can answer for this function, so no log has it. */
  ResponseURL: z.url(),
  StackId: z.string(),
  RequestId: z.string(),
  LogicalResourceId: z.string(),
  PhysicalResourceId: z.string().default('release'),
  ResourceProperties: z.object({ Release: z.string(), AllowOlderRelease: z.enum(['true', 'false']) }),
});
type Request = z.infer<typeof Request>;

interface Decision {
  Status: 'SUCCESS' | 'FAILED';
  /** Why it failed: CloudFormation shows it as the reason of the rollback. */
  Reason?: string;
}

/** Decides and answers. Throws when the answer does not arrive: Lambda then repeats the request. */
export async function handler(sent: unknown): Promise<Decision> {
  const request = Request.parse(sent);
  const decision = await decide(request);
  const { RequestType, ResponseURL, StackId, RequestId, LogicalResourceId, PhysicalResourceId } = request;
  log.info('release checked', { request_type: RequestType, ...request.ResourceProperties, ...decision });
  const answer = { ...decision, StackId, RequestId, LogicalResourceId, PhysicalResourceId };
  const { ok, status } = await fetch(ResponseURL, {
    method: 'PUT',
    // As bytes it has no content type, with which the signature of the address would not fit.
    body: Buffer.from(JSON.stringify(answer)),
    signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
  });
  if (!ok) throw new Error(`CloudFormation did not take the answer: ${status}`);
  return decision;
}

async function decide(request: Request): Promise<Decision> {
  // The table outlives the stack, and so does what it says.
  if (request.RequestType === 'Delete') return { Status: 'SUCCESS' };
  const until = Date.now() + DECIDED_WITHIN_MS;
  const late = () => new Error('the table does not answer');
  try {
    return await withinTime(
      untilDone(() => mark(request), until),
      DECIDED_WITHIN_MS,
      late,
    );
  } catch (error) {
    log.error('release not checked', { error: describe(error) });
    const Reason = `The release of the table is not known: see the log of the function CheckRelease, and deploy again`;
    return { Status: 'FAILED', Reason };
  }
}

/** Repeats after every error: a role that was just made is refused for some seconds. */
async function untilDone<T>(work: () => Promise<T>, until: number): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (Date.now() + NEXT_TRY_MS >= until) throw error;
      await pause(NEXT_TRY_MS);
    }
}

async function mark({ StackId, ResourceProperties }: Request): Promise<Decision> {
  const { Release, AllowOlderRelease } = ResourceProperties;
  const writer = AllowOlderRelease === 'true' ? undefined : await writerOfTable();
  // A rollback asks as a deployment of the release before does: if it were refused, the stack would be stuck.
  if (writer !== undefined && isNewer(writer, Release) && !(await isRollingBack(StackId)))
    return {
      Status: 'FAILED',
      Reason: `The table was written by release ${writer}, and this is ${Release}: deploy ${writer} or a later one. If you mean it: allowOlderRelease (AllowOlderRelease of the template, --allow-older-release of npm run deploy)`,
    };
  await markTable(Release);
  return { Status: 'SUCCESS' };
}
