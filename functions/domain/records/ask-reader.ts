// How a question gets to the function Records: one invocation. The local build, in which all functions share the index
// files, replaces this module: there a question is answered where it is asked.
import { invokeRecords } from '#orchestration/records-function.ts';
import { getObject } from '#store/table/object-store.ts';
import { type RecordAnswer, type RecordQuestion, RecordReply } from './question.ts';

/** The answer to a question. Throws as the invocation does. */
export async function askReader(question: RecordQuestion): Promise<RecordAnswer> {
  const reply = RecordReply.parse(JSON.parse(await invokeRecords(JSON.stringify(question))));
  if (reply.outcome !== 'saved') return reply;
  const { object_key, used, followed } = reply;
  return { outcome: 'read', output: JSON.parse(await getObject(object_key)), used, followed };
}
