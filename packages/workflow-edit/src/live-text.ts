import { numberField, textField } from '@weft/node-catalogue/definitions';

/** A text that a node writes while it runs, as far as its parts have come. */
export interface LiveText {
  /** Attempt of the execution, and number of the text within it. */
  readonly attempt: number;
  readonly number: number;
  readonly text: string;
  /** Characters of the text up to the end of the last part, missing ones included. */
  readonly end: number;
}

/** Stands for parts that have not come. */
const GAP = ' … ';

/** Characters of a text that are kept. */
const MAX_CHARACTERS = 256 * 1024;

/**
 * Adds a part as the stream of events has it: `{ attempt, number, offset, text }`. Parts are not stored, and some
 * may be missing; a part of an earlier text is left out. A part of a later text, or of a later attempt, begins again.
 */
export function addDelta(before: LiveText | undefined, delta: unknown): LiveText | undefined {
  const text = textField(delta, 'text');
  const [attempt, number, offset] = [count(delta, 'attempt'), count(delta, 'number'), count(delta, 'offset')];
  const isEarlier =
    before !== undefined && (attempt < before.attempt || (attempt === before.attempt && number < before.number));
  if (isEarlier || text === undefined) return before;
  const isSame = before?.attempt === attempt && before.number === number;
  const { text: known, end } = isSame ? before : { text: '', end: 0 };
  const added = offset > end ? `${known === '' ? '' : GAP}${text}` : text.slice(end - offset);
  const joined = `${known}${added}`.slice(0, MAX_CHARACTERS);
  return { attempt, number, text: joined, end: Math.max(end, offset + text.length) };
}

function count(delta: unknown, name: string): number {
  return numberField(delta, name) ?? 0;
}
