// Replaces functions/domain/records/records-transport.ts: a question is answered in the thread that asks it. That saves
// a message to the thread of another function and a copy of what was read.
export { answerQuestion as askServer } from '#domain/records/records-server.ts';
