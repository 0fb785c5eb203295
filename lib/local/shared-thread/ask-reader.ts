// Replaces functions/domain/records/ask-reader.ts: a question is answered in the thread that asks it. That saves a
// message to the thread of another function and a copy of what was read.
export { answerQuestion as askReader } from '#domain/records/answer-question.ts';
