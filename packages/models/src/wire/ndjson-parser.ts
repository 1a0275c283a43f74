import { LineSplitter } from './line-splitter';

/** Splits a stream of JSON values, one a line, into the text of the values. Empty lines are skipped. */
export class NdjsonParser {
  readonly #lines = new LineSplitter();

  push(bytes: Uint8Array): string[] {
    return this.#lines.push(bytes).filter((line) => line.trim() !== '');
  }

  end(): string[] {
    return this.#lines.end().filter((line) => line.trim() !== '');
  }
}
