import { NodeFailure } from '@weft/engine';

const SEPARATOR = /([,;])/;
const CONTROL = /[\u0000-\u001f\u007f]/;
/** A line that would start another header. Its lines are not split: a subject may have a million. */
const HEADER_LINE = /[\r\n][^\S\r\n]*[!-9;-~]+:/;

/**
 * Addresses as written in a header; undefined for none. Spaces and line breaks around an address are ignored.
 * @throws NodeFailure for a line break within an address, which could add headers to the mail
 */
export function addressList(text: string, what: string, itemIndex?: number): string | undefined {
  const parts = text.split(SEPARATOR).map((part) => (SEPARATOR.test(part) ? `${part} ` : part.trim()));
  const list = parts.join('').trim();
  if (CONTROL.test(list)) throw injected(what, itemIndex);
  return list === '' ? undefined : list;
}

/**
 * A subject. Line breaks in it become spaces.
 * @throws NodeFailure if the text after a line break looks like a header
 */
export function subjectLine(text: string, itemIndex?: number): string {
  if (HEADER_LINE.test(text)) throw injected('subject', itemIndex);
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}

function injected(what: string, itemIndex?: number): NodeFailure {
  return new NodeFailure(`The ${what} contains a line break that would add a header to the mail`, {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    description: 'Remove the line breaks, for example with .replaceAll("\\\n", " ").',
  });
}
