import { areKnown, type Chunks, codingsOf, decode } from '@weft/service-kit/content-codings';

export type { Chunks };

/**
 * Undoes the codings of a Content-Encoding header. If one of them is not known, or there are more than two, nothing is
 * undone: the reader sees what was sent. Servers that cut the end of a compressed stream are common; what arrived is
 * used.
 */
export const decompress = (source: Chunks, contentEncoding: string): Chunks => {
  const codings = codingsOf(contentEncoding);
  return areKnown(codings) ? decode(source, codings, 'use') : source;
};
