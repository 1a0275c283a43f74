/** A JSON string that is built in pieces up to a limit. */
export class JsonWriter {
  readonly #pieces: string[] = [];
  #characters = 0;
  readonly #most: number;

  constructor(mostCharacters: number) {
    this.#most = mostCharacters;
  }

  /** Number of characters left. */
  get room(): number {
    return this.#most - this.#characters;
  }

  /** Appends a piece. Returns false and appends nothing if it does not fit. */
  add(piece: string): boolean {
    if (piece.length > this.room) return false;
    this.#pieces.push(piece);
    this.#characters += piece.length;
    return true;
  }

  /** The string so far. */
  toString(): string {
    return this.#pieces.join('');
  }
}

/** Number of values that are serialized at once: each call has a fixed cost, and the limit is checked after each. */
const VALUES_AT_ONCE = 100;

/** An array as JSON; undefined if it is longer than `mostCharacters`. Stops soon after exceeding the limit. */
export function listText(values: readonly unknown[], mostCharacters: number): string | undefined {
  const writer = new JsonWriter(mostCharacters);
  if (!writer.add('[')) return undefined;
  for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
    const text = JSON.stringify(values.slice(from, from + VALUES_AT_ONCE)).slice(1, -1);
    if (!writer.add(from === 0 ? text : `,${text}`)) return undefined;
  }
  return writer.add(']') ? writer.toString() : undefined;
}
