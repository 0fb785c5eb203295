// How a question gets to the records server: one invocation of the function Records. The local build, in which all
// functions share the index files, replaces this module: there a question is answered where it is asked.
import { invokeRecords } from '#orchestration/records-function.ts';
import { getObject } from '#store/table/object-store.ts';
import { type RecordAnswer, type RecordQuestion, RecordReply } from './records-protocol.ts';

/** The answer to a question. Throws as the invocation does. */
export async function askServer(question: RecordQuestion): Promise<RecordAnswer> {
  const reply = RecordReply.parse(JSON.parse(await invokeRecords(JSON.stringify(question))));
  if (reply.outcome !== 'saved') return reply;
  const { object_key, used, freshness } = reply;
  return { outcome: 'read', output: JSON.parse(await getObject(object_key)), used, freshness };
}
