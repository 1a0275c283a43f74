import { LineSplitter } from './line-splitter';

/** An event of a stream of server-sent events. */
export interface SseEvent {
  /** Empty if the event has no name. */
  readonly event: string;
  readonly data: string;
}

/**
 * Parses server-sent events as they arrive, as the HTML standard has it. Comments, ids and retry times are skipped, and
 * so are events without data. An event at the end without its empty line counts: services leave it out.
 */
export class SseParser {
  readonly #lines = new LineSplitter();
  #event = '';
  #data: string[] = [];

  /** Events that these bytes complete. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#read(this.#lines.push(bytes));
  }

  /** Events that the end completes. */
  end(): SseEvent[] {
    return this.#read([...this.#lines.end(), '']);
  }

  #read(lines: readonly string[]): SseEvent[] {
    const events: SseEvent[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') });
        this.#event = '';
        this.#data = [];
      } else this.#field(line);
    }
    return events;
  }

  #field(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
  }
}
