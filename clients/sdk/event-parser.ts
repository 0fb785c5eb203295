// The data of server-sent events, from a stream in any pieces.

export class EventParser {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #data: string[] = [];

  /** The data of each event that the piece completes. */
  feed(piece: Uint8Array): string[] {
    const text = this.#rest + this.#decoder.decode(piece, { stream: true });
    // A carriage return at the end may be the first half of a line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const events: string[] = [];
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(5).replace(/^ /, ''));
      if (line === '' && this.#data.length > 0) events.push(this.#data.splice(0).join('\n'));
    }
    return events;
  }
}
