import type { Run } from './run';

/** Cost of moving one combining mark past another. */
const MOVE_NS = 1;
const COMBINING = /\p{M}/u;
/** No combining mark has a smaller code. */
const FIRST_MARK = 0x300;

/**
 * Counts the work of ordering combining marks: each mark of a row may be moved past those before it, so the work grows
 * with the square of the length of the row. Real text has only a few marks in a row.
 * @throws ExpressionError `budget`
 */
export function countMarks(run: Run, text: string): void {
  let row = 0;
  let moves = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at += 1;
    if (code >= FIRST_MARK && COMBINING.test(String.fromCodePoint(code))) {
      row += 1;
      continue;
    }
    if (row > 1) moves += row * row;
    row = 0;
  }
  run.read(moves + (row > 1 ? row * row : 0), MOVE_NS);
}
