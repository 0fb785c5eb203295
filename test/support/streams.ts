// Reads event streams with `fetch`, frame by frame.
import type { Caller } from './given.ts';
import { call, sharedService } from './service.ts';

export interface Frame {
  id: string | undefined;
  event: string | undefined;
  data: string | undefined;
  /** The frame as sent, without the empty line. */
  text: string;
  /** When it was read, epoch ms. */
  at: number;
}

/** A token for the run's stream. */
export async function token(home: Caller, id: string): Promise<string> {
  const { body } = await call('POST', `/runs/${id}/events/token`, { key: home.key, access: home.access });
  return body.event_token;
}

/** Address of a stream, without undefined parameters. */
export function streamUrl(id: string, query: Record<string, string | undefined>, base?: string): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) sent.set(name, value);
  return `${base ?? `${sharedService().base_url}/runs/${id}/events/stream`}?${sent}`;
}

function parse(text: string): Frame {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  return { id: field('id'), event: field('event'), data: field('data'), text, at: Date.now() };
}

/** The frames of a stream as they arrive, until it ends. Throws when the stream breaks. */
export async function* frames(response: Response): AsyncGenerator<Frame> {
  let rest = '';
  for await (const chunk of response.body ?? []) {
    rest += Buffer.from(chunk).toString();
    for (let end = rest.indexOf('\n\n'); end >= 0; end = rest.indexOf('\n\n')) {
      yield parse(rest.slice(0, end));
      rest = rest.slice(end + 2);
    }
  }
}

/** Every event of a finite stream, without comments. */
export async function eventsOf(response: Response): Promise<Frame[]> {
  const events: Frame[] = [];
  for await (const frame of frames(response)) if (frame.event !== undefined) events.push(frame);
  return events;
}
