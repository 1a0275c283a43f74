import { NodeFailure } from '@weft/engine';
import type { CodeError } from '@weft/sandbox';

/** Formats a position in the code, which follows the message. */
type PlaceWords = (line: number, itemIndex: number | undefined) => string;

/** Format of a Code node. The item is in the context of the error, not in its message. */
export const codePlace: PlaceWords = (line) => `[line ${line}]`;

/** Format of the older Function nodes. */
export const functionPlace: PlaceWords = (line, itemIndex) =>
  itemIndex === undefined ? `[Line ${line}]` : `[Line ${line} | Item Index: ${itemIndex}]`;

/** The message of an error in the user's code, with its position in the code. */
export function failureMessage({ message, line }: CodeError, place: PlaceWords, itemIndex?: number): string {
  return line === undefined ? message : `${message} ${place(line, itemIndex)}`;
}

/**
 * Converts an error in the user's code to a failure of the node. The description names the error type if that adds
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
