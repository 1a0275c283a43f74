import { NodeFailure } from '@weft/engine';
import type { CodeError } from '@weft/sandbox';

/** How a place in the code is written behind a message. */
type PlaceWords = (line: number, itemIndex: number | undefined) => string;

/** The words of a Code node. */
export const codePlace: PlaceWords = (line, itemIndex) =>
  itemIndex === undefined ? `[line ${line}]` : `[line ${line}, for item ${itemIndex}]`;

/** The words of the older Function nodes. */
export const functionPlace: PlaceWords = (line, itemIndex) =>
  itemIndex === undefined ? `[Line ${line}]` : `[Line ${line} | Item Index: ${itemIndex}]`;

/** The message of an error of the user's code, with the place where it happened. */
export function failureMessage({ message, line }: CodeError, place: PlaceWords, itemIndex?: number): string {
  return line === undefined ? message : `${message} ${place(line, itemIndex)}`;
}

/** An error of the user's code as a failure of the node. The description tells its kind where that says more. */
export function codeFailure(error: CodeError, place: PlaceWords, itemIndex?: number): NodeFailure {
  const description = error.description ?? (error.name === 'Error' ? undefined : error.name);
  return new NodeFailure(failureMessage(error, place, itemIndex), {
    ...(description === undefined ? {} : { description }),
    ...(itemIndex === undefined ? {} : { itemIndex }),
    ...(error.line === undefined ? {} : { context: { lineNumber: error.line } }),
  });
}
