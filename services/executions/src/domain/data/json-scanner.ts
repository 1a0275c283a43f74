const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bytes that structure JSON outside of strings, by what they do. */
const OTHER = 0;
const OPENS = 1;
const CLOSES = 2;
const SEPARATES = 3;
const QUOTES = 4;

const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === '{' || character === '[') return OPENS;
  if (character === '}' || character === ']') return CLOSES;
  if (character === ',') return SEPARATES;
  return character === '"' ? QUOTES : OTHER;
});

/** Called for structural bytes near the root. `at`: position in the current piece. */
export interface ScanListener {
  /** @param depth number of open objects and arrays, including this one */
  readonly opened: (at: number, depth: number) => void;
  /** @param depth number of open objects and arrays, including this one */
  readonly closed: (at: number, depth: number) => void;
  readonly separated: (at: number, depth: number) => void;
  /** A string begins or ends. */
  readonly quoted: (at: number, depth: number) => void;
}

/**
 * Follows the structure of a JSON text that arrives in pieces, without parsing it: a few milliseconds for a megabyte,
 * whatever it contains. The text must be valid JSON in UTF-8.
 */
export class JsonScanner {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** @param maxDepth depth below which the listener is called no more; strings are reported above it only */
  constructor(
    private readonly maxDepth: number,
    private readonly listener: ScanListener,
  ) {}

  /** Scans the next piece. */
  write(bytes: Buffer): void {
    const { maxDepth, listener } = this;
    const end = bytes.length;
    let depth = this.#depth;
    let at = 0;
    while (at < end) {
      if (this.#isInString) {
        at = this.#skipString(bytes, at);
        if (this.#isInString) break;
        if (depth < maxDepth) listener.quoted(at, depth);
        at += 1;
        continue;
      }
      while (at < end && CLASSES[bytes[at] ?? 0] === OTHER) at += 1;
      if (at >= end) break;
      const kind = CLASSES[bytes[at] ?? 0];
      if (kind === OPENS) {
        depth += 1;
        if (depth <= maxDepth) listener.opened(at, depth);
      } else if (kind === CLOSES) {
        if (depth <= maxDepth) listener.closed(at, depth);
        depth -= 1;
      } else if (kind === SEPARATES) {
        if (depth <= maxDepth) listener.separated(at, depth);
      } else {
        if (depth < maxDepth) listener.quoted(at, depth);
        this.#isInString = true;
      }
      at += 1;
    }
    this.#depth = depth;
  }

  /** The position of the closing quote, or the end of the piece. */
  #skipString(bytes: Buffer, from: number): number {
    const end = bytes.length;
    let at = from;
    if (this.#isEscaped && at < end) {
      this.#isEscaped = false;
      at += 1;
    }
    while (at < end) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#isInString = false;
        return at;
      }
      if (byte === BACKSLASH) {
        at += 2;
        // The escaped byte is in the next piece.
        this.#isEscaped = at > end;
      } else at += 1;
    }
    return end;
  }
}
