/** JSON text that is built piece by piece and may not grow beyond a limit. */
export class JsonWriter {
  readonly #pieces: string[] = [];
  #characters = 0;
  readonly #most: number;

  constructor(mostCharacters: number) {
    this.#most = mostCharacters;
  }

  /** Characters that may still be added. */
  get room(): number {
    return this.#most - this.#characters;
  }

  /** Adds a piece of text. False if it does not fit: nothing is added then. */
  add(piece: string): boolean {
    if (piece.length > this.room) return false;
    this.#pieces.push(piece);
    this.#characters += piece.length;
    return true;
  }

  /** The text so far. */
  toString(): string {
    return this.#pieces.join('');
  }
}

/** Values that become text at once: each text has a cost of its own, and the limit is looked at after each. */
const VALUES_AT_ONCE = 100;

/** A list as JSON, undefined if it is longer than `mostCharacters`. Stops soon after that is known. */
export function listText(values: readonly unknown[], mostCharacters: number): string | undefined {
  const writer = new JsonWriter(mostCharacters);
  if (!writer.add('[')) return undefined;
  for (let from = 0; from < values.length; from += VALUES_AT_ONCE) {
    const text = JSON.stringify(values.slice(from, from + VALUES_AT_ONCE)).slice(1, -1);
    if (!writer.add(from === 0 ? text : `,${text}`)) return undefined;
  }
  return writer.add(']') ? writer.toString() : undefined;
}
