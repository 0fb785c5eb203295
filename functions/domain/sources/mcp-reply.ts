// The answer to one message that an MCP server was sent, taken out of its reply (rules.md: sources 9).
import { isJsonObject } from '#contract/json.ts';
import { markInexact } from '#platform/exact-numbers.ts';
import { wrongShape } from './source-failure.ts';
import { jsonOf } from './source-pages.ts';

/** Notes of progress and the like that may come before the answer. */
const EVENTS_MAX = 10_000;

const NO_ANSWER = 'the reply has no answer to the message that was sent';

/** What is known of a message that the library sends: `id` is absent on a notification. */
export interface SentMessage {
  id?: unknown;
  /** Absent on an answer to the server. */
  method?: unknown;
}

/**
 * The JSON of the answer to the request with this id. Whatever else the reply has never reaches the library, which
 * would answer each request in it by a call. Throws SourceFailure `shape`.
 */
export function answerIn(text: string, contentType: string, id: unknown): string {
  const isAnswer = (value: unknown) => isJsonObject(value) && value.id === id && !('method' in value);
  if (!/^text\/event-stream\b/i.test(contentType)) {
    if (isAnswer(jsonOf(text))) return markInexact(text);
    throw wrongShape(NO_ANSWER);
  }
  let events = 0;
  for (const data of eventsIn(text)) {
    events += 1;
    if (events > EVENTS_MAX) break;
    if (isAnswer(jsonOrNothing(data))) return markInexact(data);
  }
  throw wrongShape(NO_ANSWER);
}

function jsonOrNothing(text: string): unknown {
  try {
    return jsonOf(text);
  } catch {
    return undefined;
  }
}

/** The data of each event of a stream, one after the other. */
function* eventsIn(text: string): Generator<string> {
  let data: string[] = [];
  for (const [line] of text.matchAll(/[^\r\n]*(?:\r\n|\r|\n|$)/g)) {
    const content = line.trimEnd();
    if (content.startsWith('data:')) data.push(content.slice('data:'.length));
    if (content !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
}
