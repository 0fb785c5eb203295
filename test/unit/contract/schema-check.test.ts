// The reply checker takes what the document allows and refuses what it does not.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createdEnvelope } from '../../support/run-envelope.ts';
import { type CheckedReply, checkReply } from '../../support/schema-check.ts';

const headers = { 'Content-Type': 'application/json; charset=utf-8', 'X-Request-Id': 'r-1' };
const run = {
  ...createdEnvelope,
  id: randomUUID(),
  api_version: '2026-11-20',
  created_at: 1,
  workspace_id: randomUUID(),
  input: { input_type: 'query', query: 'all companies' },
  request_id: 'r-1',
};
const notFound = (code = 'run_not_found') => ({
  error: {
    code,
    type: 'not_found',
    message: 'No.',
    doc_url: `http://127.0.0.1:1/docs/errors#${code}`,
    request_id: 'r-1',
  },
});
const read = (change: Partial<CheckedReply>): CheckedReply => ({
  method: 'GET',
  path: `/api/v1/runs/${run.id}`,
  status: 200,
  headers,
  body: run,
  ...change,
});

test('a documented reply passes, by path or by URL', () => {
  expect(() => checkReply(read({}))).not.toThrow();
  expect(() => checkReply(read({ path: `http://127.0.0.1:1/api/v1/runs/${run.id}?x=1` }))).not.toThrow();
});

test('a field that is missing or unknown is refused', () => {
  const { usage: _, ...without } = run;
  expect(() => checkReply(read({ body: without }))).toThrow(/usage/);
  expect(() => checkReply(read({ body: { ...run, secret: 1 } }))).toThrow(/secret/);
});

test('an undocumented status is refused', () => {
  expect(() => checkReply(read({ status: 202 }))).toThrow(/does not document/);
});

test('a reply without X-Request-Id is refused', () => {
  expect(() => checkReply(read({ headers: { 'Content-Type': 'application/json' } }))).toThrow(/X-Request-Id/);
});

test('an error passes with a code of its route and status, and not with another', () => {
  expect(() => checkReply(read({ status: 404, body: notFound() }))).not.toThrow();
  expect(() => checkReply(read({ status: 404, body: notFound('note_not_found') }))).toThrow(/not one of/);
});

test('an error must name the request id of its header', () => {
  const other = { ...headers, 'X-Request-Id': 'r-2' };
  expect(() => checkReply(read({ status: 404, body: notFound(), headers: other }))).toThrow(/request_id/);
});

test('details must have the shape of their code', () => {
  const error = {
    ...notFound('schema_validation_failed').error,
    type: 'invalid_request',
    details: { issues: [{}] },
  };
  const path = `/api/v1/runs/${run.id}/events?limit=0`;
  expect(() => checkReply(read({ path, status: 422, body: { error } }))).toThrow(/error\/details\/issues\/0/);
});

test('an unknown path may only be 404 not_found', () => {
  const path = '/api/v1/nothing';
  expect(() => checkReply(read({ path, status: 404, body: notFound('not_found') }))).not.toThrow();
  expect(() => checkReply(read({ path, status: 404, body: notFound() }))).toThrow(/not one of/);
  expect(() => checkReply(read({ path }))).toThrow(/no such route/);
});

test('429 must say when to retry', () => {
  expect(() => checkReply(read({ status: 429 }))).toThrow(/Retry-After/);
});

const paused = {
  id: 'e1',
  event_id: 'e1',
  sequence: 1,
  event_type: 'run.paused',
  occurred_at: 1,
  run_id: run.id,
  api_version: '2026-11-20',
  data: { status: 'paused', reason: 'maintenance' },
};

test('each event of a page is held to the data of its type', () => {
  const page = (data: object) => ({
    ...read({ path: `/api/v1/runs/${run.id}/events` }),
    body: { object: 'list', data: [{ ...paused, data }], next_cursor: 'c', has_more: false },
  });
  expect(() => checkReply(page(paused.data))).not.toThrow();
  expect(() => checkReply(page({ status: 'paused' }))).toThrow(/reason/);
});

test('inbound sync may answer in its short shape', () => {
  const reply = (error: string, status: number) =>
    read({
      method: 'POST',
      path: `/api/webhooks/sync/${run.id}`,
      status,
      body: { success: false, error, message: 'No.' },
    });
  expect(() => checkReply(reply('invalid_signature', 401))).not.toThrow();
  expect(() => checkReply(reply('invalid_signature', 404))).toThrow(/not one of/);
});

test("the site's pages are known with and without the stage", () => {
  const html = { ...headers, 'Content-Type': 'text/html; charset=utf-8' };
  for (const path of ['/docs', '/api/docs', '/docs/errors'])
    expect(() => checkReply(read({ path, headers: html, body: '<!doctype html>' }))).not.toThrow();
  expect(() => checkReply(read({ path: '/docs', headers: html, body: '', status: 500 }))).toThrow();
});

test('each frame of a stream is held to the data of its type', () => {
  const frame = (data: object) =>
    `id: e1\nevent: run.paused\ndata: ${JSON.stringify({ ...paused, data })}\n\n`;
  const stream = (data: object) =>
    read({
      path: `/api/v1/runs/${run.id}/events/stream`,
      headers: { ...headers, 'Content-Type': 'text/event-stream' },
      body: `: welcome\n\n${frame(paused.data)}${frame(data)}`,
    });
  expect(() => checkReply(stream(paused.data))).not.toThrow();
  expect(() => checkReply(stream({ status: 'paused' }))).toThrow(/reason/);
});
