// Handler of Records: answers questions of other functions from the record indexes on its disk.
import { ANSWERS_PREFIX } from '#contract/retention.ts';
import { RecordQuestion, type RecordReply } from '#domain/records/records-protocol.ts';
import { answerQuestion } from '#domain/records/records-server.ts';
import { newId } from '#platform/ids.ts';
import { log, logAbout } from '#platform/log.ts';
import { putObject } from '#store/table/object-store.ts';

/** Lambda replies with at most 6 MB. */
const REPLY_MAX_BYTES = 5 * 1024 * 1024;

/** The answer to one question. Throws ZodError for another event, and errors that the caller cannot handle. */
export const handler = async (sent: unknown): Promise<RecordReply> => {
  const question = RecordQuestion.parse(sent);
  const { workspace_ids, operation } = question;
  return logAbout({ workspace_ids, operation }, async () => {
    const answer = await answerQuestion(question);
    if (answer.outcome !== 'read') {
      log.info('question not answered', { outcome: answer.outcome });
      return answer;
    }
    const { output, ...rest } = answer;
    const json = Buffer.from(JSON.stringify(output ?? null));
    if (json.length <= REPLY_MAX_BYTES) return answer;
    const object_key = `${ANSWERS_PREFIX}${workspace_ids[0]}/${newId()}`;
    await putObject(object_key, json);
    return { ...rest, outcome: 'saved', object_key };
  });
};
