import { NodeFailure } from '@weft/engine';
import type { CodeError } from '@weft/sandbox';

/** Formats a place in the code, behind a message. */
type PlaceWords = (line: number, itemIndex: number | undefined) => string;

/** Wording of a Code node. The item is named in the context of the error, not in its message. */
export const codePlace: PlaceWords = (line) => `[line ${line}]`;

/** Wording of the older Function nodes. */
export const functionPlace: PlaceWords = (line, itemIndex) =>
  itemIndex === undefined ? `[Line ${line}]` : `[Line ${line} | Item Index: ${itemIndex}]`;

/** The message of an error of the user's code, with its place in the code. */
export function failureMessage({ message, line }: CodeError, place: PlaceWords, itemIndex?: number): string {
  return line === undefined ? message : `${message} ${place(line, itemIndex)}`;
}

/**
 * Turns an error of the user's code into a failure of the node. The description names its kind where that adds
 * something.
 */
export function codeFailure(error: CodeError, place: PlaceWords, itemIndex?: number): NodeFailure {
  const description = error.description ?? (error.name === 'Error' ? undefined : error.name);
  return new NodeFailure(failureMessage(error, place, itemIndex), {
    ...(description === undefined ? {} : { description }),
    ...(itemIndex === undefined ? {} : { itemIndex }),
    ...(error.line === undefined ? {} : { context: { lineNumber: error.line } }),
  });
}
