import { NodeFailure } from '@weft/engine';

/** Spaces and line breaks around the addresses of a list are ignored. */
const BETWEEN_ADDRESSES = /\s*([,;])\s*/g;
const CONTROL = /[\u0000-\u001f\u007f]/;
/** Matches a line that would start another header. */
const NEXT_HEADER = /[\r\n]+\s*[!-9;-~]+:/;

/**
 * Addresses as written in a header; undefined for none.
 * @throws NodeFailure for a line break within an address, which could add headers to the mail
 */
export function addressList(text: string, what: string, itemIndex: number): string | undefined {
  const list = text.trim().replace(BETWEEN_ADDRESSES, '$1 ').trim();
  if (CONTROL.test(list)) throw injected(what, itemIndex);
  return list === '' ? undefined : list;
}

/**
 * A subject. Line breaks in it become spaces.
 * @throws NodeFailure if the text after a line break looks like a header
 */
export function subjectLine(text: string, itemIndex: number): string {
  if (NEXT_HEADER.test(text)) throw injected('subject', itemIndex);
  return text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').trim();
}

function injected(what: string, itemIndex: number): NodeFailure {
  return new NodeFailure(`The ${what} contains a line break that would add a header to the mail`, {
    itemIndex,
    description: 'Remove the line breaks, for example with .replaceAll("\\\n", " ").',
  });
}
