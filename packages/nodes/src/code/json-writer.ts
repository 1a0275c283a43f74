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

/** A list as JSON, undefined if it is longer than `mostCharacters`. Stops as soon as that is known. */
export function listText(values: readonly unknown[], mostCharacters: number): string | undefined {
  const writer = new JsonWriter(mostCharacters);
  let isFirst = true;
  if (!writer.add('[')) return undefined;
  for (const value of values) {
    if (!writer.add(`${isFirst ? '' : ','}${JSON.stringify(value)}`)) return undefined;
    isFirst = false;
  }
  return writer.add(']') ? writer.toString() : undefined;
}
