import type { Node } from 'jsonc-parser';
import type { Style } from './value';

/** The style of a whole text. */
export function styleOf(text: string, root: Node): Style {
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const inner = indentInside(text, root);
  if (inner === undefined) return { unit: undefined, lineEnd };
  const outer = indentOfLine(text, root.offset + root.length - 1);
  return { unit: inner.startsWith(outer) && inner.length > outer.length ? inner.slice(outer.length) : '  ', lineEnd };
}

/** Indentation of the entries of an object or array; undefined if they are on the line of their bracket. */
export function indentInside(text: string, container: Node): string | undefined {
  const [first] = container.children ?? [];
  if (first === undefined) return undefined;
  const gap = text.slice(container.offset + 1, first.offset);
  const lineEnd = gap.lastIndexOf('\n');
  return lineEnd < 0 ? undefined : gap.slice(lineEnd + 1);
}

/** The white space at the beginning of a line. */
export function indentOfLine(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  let end = start;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return text.slice(start, end);
}

/** White space after the commas of a container whose entries are on one line. */
export function gapBetween(text: string, container: Node): string {
  const [first, second] = container.children ?? [];
  if (first === undefined || second === undefined) return '';
  return /^\s{0,8}/.exec(text.slice(text.indexOf(',', first.offset + first.length) + 1, second.offset))?.[0] ?? '';
}
