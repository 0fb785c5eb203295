// One reader of an event stream behind the cutting proxy, which resumes after every cut and judges each connection.
import { setTimeout as wait } from 'node:timers/promises';
import { limits } from '../../../functions/contract/limits.ts';
import type { Home } from '../../support/given.ts';
import { call } from '../../support/service.ts';
import { type Frame, frames, streamUrl } from '../../support/streams.ts';
import type { Random } from '../random.ts';
import { patiently } from '../work.ts';
import { CUT_HEADER } from './cutting-proxy.ts';

export interface Reading {
  /** Ids of the events in the order seen, over all connections. */
  seen: string[];
  connections: number;
  heartbeats: number;
  /** Connections that the service ended after their time. */
  expired: number;
  worst_silence_ms: number;
  breaches: string[];
}

interface Task {
  home: Home;
  /** Address of the proxy. */
  proxied: string;
  id: string;
  /** How often it is cut, after about `everyMs` each. */
  cuts: number;
  everyMs: number;
  chance: Random;
}

/** Well before a token's end. */
const TOKEN_MS = limits.event_token_lifetime_ms / 2;
/**
 * How early or late comments and the cut may be: a busy machine has seconds of other work, and what is late
 * shortens the next wait.
 */
const SLACK_MS = 10_000;
/** Half of the cuts are by time, the others after a number of bytes. */
const BYTES = 6_000;
/** A stream that is cut runs on in the service, so it asks for little more than the longest time to its cut. */
const SHORTEST_MS = 10_000;
const maxMsOf = ({ cuts, everyMs }: Task) =>
  cuts === 0
    ? limits.stream_max_duration_ms
    : Math.min(Math.max(SHORTEST_MS, Math.ceil(3 * everyMs)), limits.stream_max_duration_ms);
const NEVER = 1_000_000_000;
const PAUSE_MS = 500;

/** Reads the stream to the end of its log. */
export async function readStream(task: Task): Promise<Reading> {
  const reading: Reading = {
    seen: [],
    connections: 0,
    heartbeats: 0,
    expired: 0,
    worst_silence_ms: 0,
    breaches: [],
  };
  let lastEventId: string | undefined;
  let eventToken = '';
  let issuedAt = 0;
  for (let cuts = 0; ; cuts += 1) {
    if (Date.now() - issuedAt > TOKEN_MS) {
      issuedAt = Date.now();
      eventToken = await tokenOf(task);
    }
    const headers: Record<string, string> = {
      ...(cuts < task.cuts && { [CUT_HEADER]: nextCut(task) }),
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    };
    const url = streamUrl(
      task.id,
      { event_token: eventToken, max_ms: String(maxMsOf(task)) },
      `${task.proxied}/api/v1/runs/${task.id}/events/stream`,
    );
    const connection = new Connection(reading, maxMsOf(task));
    try {
      const response = await fetch(url, { headers });
      if (response.status === 204) return reading;
      if (response.status === 503 || response.status === 504) {
        await response.arrayBuffer();
        await wait(PAUSE_MS);
        cuts -= 1;
        continue;
      }
      if (response.status !== 200) throw new Refused(`${response.status} ${await response.text()}`);
      reading.connections += 1;
      for await (const frame of frames(response)) {
        connection.take(frame);
        lastEventId = frame.id ?? lastEventId;
      }
    } catch (error) {
      // A cut before the answer, or in the middle of it.
      if (error instanceof Refused) {
        reading.breaches.push(error.message);
        return reading;
      }
    }
  }
}

async function tokenOf({ home, id }: Task): Promise<string> {
  const { body } = await patiently(() => call('POST', `/runs/${id}/events/token`, { ...home }));
  return body.event_token;
}

class Refused extends Error {}

function nextCut({ chance, everyMs }: Task): string {
  const byTime = chance.chance(0.5);
  const ms = Math.round(chance.below(2000) * (everyMs / 1000));
  return byTime ? `${ms},${NEVER}` : `${ms},${chance.below(BYTES)}`;
}

class Connection {
  readonly #openedAt = Date.now();
  readonly #reading: Reading;
  readonly #maxMs: number;
  #previous: Frame | undefined;
  #expired = false;

  constructor(reading: Reading, maxMs: number) {
    this.#reading = reading;
    this.#maxMs = maxMs;
  }

  take(frame: Frame): void {
    const { breaches, seen } = this.#reading;
    if (this.#expired) breaches.push(`${frame.event ?? 'a comment'} after connection.expired`);
    const silence = frame.at - (this.#previous?.at ?? this.#openedAt);
    this.#reading.worst_silence_ms = Math.max(this.#reading.worst_silence_ms, silence);
    if (silence > limits.stream_heartbeat_ms + SLACK_MS) breaches.push(`${silence} ms of silence`);
    if (frame.event === undefined) this.#comment(silence);
    else if (frame.event === 'connection.expired') this.#cut(frame);
    else if (seen.includes(frame.id ?? '')) breaches.push(`${frame.id} came twice`);
    else seen.push(frame.id ?? '');
    this.#previous = frame;
  }

  #comment(silence: number): void {
    // The first comment opens the stream.
    if (!this.#previous) return;
    this.#reading.heartbeats += 1;
    if (silence < limits.stream_heartbeat_ms - SLACK_MS)
      this.#reading.breaches.push(`a comment after ${silence} ms`);
  }

  #cut({ at, data }: Frame): void {
    this.#expired = true;
    this.#reading.expired += 1;
    const lasted = at - this.#openedAt;
    if (Math.abs(lasted - this.#maxMs) > SLACK_MS) this.#reading.breaches.push(`expired after ${lasted} ms`);
    const { last_event_id } = JSON.parse(data ?? '{}').data;
    if (last_event_id !== this.#reading.seen.at(-1))
      this.#reading.breaches.push(
        `expired after ${last_event_id}, ${this.#reading.seen.at(-1)} was the last`,
      );
  }
}
