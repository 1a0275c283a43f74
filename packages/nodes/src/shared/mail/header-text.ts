import { NodeFailure } from '@weft/engine';

const SEPARATOR = /([,;])/;
const CONTROL = /[\u0000-\u001f\u007f]/;
/** A line that would start another header. Its lines are not split: there may be very many. */
const HEADER_LINE = /[\r\n][^\S\r\n]*[!-9;-~]+:/;

/** Characters of one header. Mail servers refuse shorter ones, and reading addresses takes time for each character. */
const MAX_LENGTH = 262_144;

/**
 * Addresses as written in a header; undefined for none. Spaces and line breaks around an address are ignored.
 * @throws NodeFailure for a line break within an address, which could add headers to the mail, and for a long text
 */
export function addressList(text: string, what: string, itemIndex?: number): string | undefined {
  checkLength(text, what, itemIndex);
  const parts = text.split(SEPARATOR).map((part) => (SEPARATOR.test(part) ? `${part} ` : part.trim()));
  const list = parts.join('').trim();
  if (CONTROL.test(list)) throw injected(what, itemIndex);
  return list === '' ? undefined : list;
}

/**
 * A subject. Line breaks in it become spaces.
 * @throws NodeFailure if the text after a line break looks like a header, and for a long text
 */
export function subjectLine(text: string, itemIndex?: number): string {
  checkLength(text, 'subject', itemIndex);
  if (HEADER_LINE.test(text)) throw injected('subject', itemIndex);
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}

function checkLength(text: string, what: string, itemIndex: number | undefined): void {
  if (text.length <= MAX_LENGTH) return;
  throw new NodeFailure(`The ${what} has ${text.length} characters; at most ${MAX_LENGTH} are allowed`, {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    description: 'Shorten it. Many recipients can be split among several mails.',
  });
}

function injected(what: string, itemIndex?: number): NodeFailure {
  return new NodeFailure(`The ${what} contains a line break that would add a header to the mail`, {
    ...(itemIndex === undefined ? {} : { itemIndex }),
    description: 'Remove the line breaks, for example with .replaceAll("\\\n", " ").',
  });
}
