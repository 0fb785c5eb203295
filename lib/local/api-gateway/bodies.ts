// Reads the bodies of requests. Their keys are not checked yet, so all of them together take a bounded room and time.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { collectAtOnce } from '../collect-garbage.ts';
import { type GatewayError, gatewayErrors } from './gateway-response.ts';

/** Why a body was not read. */
export class UnreadBody extends Error {
  readonly answer: GatewayError;
  constructor(answer: GatewayError) {
    super(answer.message);
    this.name = 'UnreadBody';
    this.answer = answer;
  }
}

/** Reads one body, and counts it until its request is answered. Rejects with UnreadBody. */
export type ReadBody = (request: IncomingMessage, response: ServerResponse) => Promise<Buffer<ArrayBuffer>>;

/** How long a body may take after its head. */
const WHOLE_WITHIN_MS = 20_000;
/** How long the rest of a body that is not read may take after the answer. */
const DROPPED_WITHIN_MS = 2_000;
/** The room of all bodies. */
const ROOM_BYTES = 64 * 1024 * 1024;
/** So many bytes of garbage are worth a collection, once no body is left. */
const GARBAGE_BYTES = 8 * 1024 * 1024;
const REST_MS = 1000;
/** Not counted: a connection buffers as much in any case. So there is always room for small requests. */
const SMALL_BYTES = 16 * 1024;

/** A body that is counted. */
interface Counted {
  bytes: number;
  /** Gives the body up; undefined once it is whole. */
  giveUp: ((answer: GatewayError) => void) | undefined;
}

/** The room of the bodies that are being read, and of those whose requests are not answered yet. */
class BodyRoom {
  /** In the order of their arrival. */
  readonly #counted = new Set<Counted>();
  #total = 0;
  #garbage = 0;

  /** The oldest bodies that are not whole make room: an honest sender needs moments, one that waits loses its place. */
  grow(body: Counted, bytes: number): void {
    this.#counted.add(body);
    body.bytes += bytes;
    this.#total += bytes;
    for (const { giveUp } of this.#counted) {
      if (this.#total <= ROOM_BYTES) return;
      giveUp?.(gatewayErrors.unavailable);
    }
  }

  drop(body: Counted): void {
    if (!this.#counted.delete(body)) return;
    this.#total -= body.bytes;
    this.#garbage += body.bytes;
    if (this.#isDone()) setTimeout(() => this.#rest(), REST_MS).unref();
  }

  #isDone(): boolean {
    return this.#total === 0 && this.#garbage >= GARBAGE_BYTES;
  }

  #rest(): void {
    if (!this.#isDone()) return;
    this.#garbage = 0;
    collectAtOnce();
  }
}

/**
 * A reader of bodies of at most `limitBytes`. A body whose declared length is beyond `usefulBytes` is not waited for:
 * the function refuses it by that length, after it has checked the key.
 */
export function bodyReader(limitBytes: number, usefulBytes: number): ReadBody {
  const room = new BodyRoom();
  return async (request, response) => {
    const declared = Number(request.headers['content-length'] ?? 0);
    if (declared > limitBytes) throw new UnreadBody(gatewayErrors.tooLarge);
    if (declared > usefulBytes) return dropped(request, response);
    const { promise, resolve, reject } = Promise.withResolvers<Buffer<ArrayBuffer>>();
    let parts: Buffer[] = [];
    let size = 0;
    const body: Counted = { bytes: 0, giveUp };
    function giveUp(answer: GatewayError): void {
      body.giveUp = undefined;
      clearTimeout(timer);
      parts = [];
      room.drop(body);
      request.off('data', take);
      reject(new UnreadBody(answer));
    }
    const timer = setTimeout(giveUp, WHOLE_WITHIN_MS, gatewayErrors.late).unref();
    function take(part: Buffer): void {
      size += part.length;
      parts.push(part);
      if (size > limitBytes) giveUp(gatewayErrors.tooLarge);
      else if (size > SMALL_BYTES) room.grow(body, size - body.bytes);
    }
    request.on('data', take);
    request.once('end', () => {
      body.giveUp = undefined;
      clearTimeout(timer);
      resolve(Buffer.concat(parts));
      parts = [];
    });
    request.once('close', () => body.giveUp?.(gatewayErrors.malformed));
    response.once('close', () => room.drop(body));
    return promise;
  };
}

/**
 * Nothing of a body. What still comes is dropped, because closing while the client sends may lose the answer; a client
 * that sends on for long after the answer is cut.
 */
function dropped(request: IncomingMessage, response: ServerResponse): Buffer<ArrayBuffer> {
  request.resume();
  const isLast = !response.shouldKeepAlive;
  // After its last answer, Node closes a connection at once.
  response.shouldKeepAlive = true;
  const end = () => {
    if (isLast) request.socket.end();
  };
  response.once('finish', () => {
    if (request.complete) return end();
    const timer = setTimeout(() => request.destroy(), DROPPED_WITHIN_MS).unref();
    request.once('close', () => clearTimeout(timer)).once('end', end);
  });
  return Buffer.alloc(0);
}
