/**
 * Splits bytes into lines as they arrive. Lines end with LF, CRLF or CR; a byte order mark at the start is skipped;
 * bytes that are not UTF-8 become U+FFFD. The caller bounds the bytes: a line may be as long as all of them.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  /** The start of a line whose end has not arrived. */
  #rest = '';
  #endedWithCr = false;

  /** Lines that these bytes complete, without their ends. */
  push(bytes: Uint8Array): string[] {
    return this.#split(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The last line, if it has no end. */
  end(): string[] {
    const lines = this.#split(this.#decoder.decode());
    return this.#rest === '' ? lines : [...lines, this.#rest];
  }

  #split(text: string): string[] {
    if (text === '') return [];
    // An LF after the CR of an earlier chunk ends no second line.
    const own = this.#endedWithCr && text.startsWith('\n') ? text.slice(1) : text;
    this.#endedWithCr = text.endsWith('\r');
    const lines = (own.includes('\r') ? own.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : own).split('\n');
    const rest = lines.pop() ?? '';
    const [first] = lines;
    if (first === undefined) this.#rest += rest;
    else {
      lines[0] = this.#rest + first;
      this.#rest = rest;
    }
    return lines;
  }
}

/** Splits a stream with one JSON value per line into the lines. Empty lines are skipped. */
export class NdjsonParser {
  readonly #lines = new LineSplitter();

  push(bytes: Uint8Array): string[] {
    return this.#lines.push(bytes).filter((line) => line.trim() !== '');
  }

  end(): string[] {
    return this.#lines.end().filter((line) => line.trim() !== '');
  }
}
