import { createHash } from 'node:crypto';
import { percentEncoded } from './query-string';

/** Maximum length of a key that services are known to accept. */
const MAX_LENGTH = 255;

/**
 * The key of one request of a run: `<execution>:<node>:<run>:<item>`, followed by `:<page>` from the second page on. It
 * is the same on every attempt, including a resumed run. Valid as a header value.
 */
export function idempotencyKeyOf(execution: string, node: string, run: number, item: number, page: number): string {
  const key = `${execution}:${percentEncoded(node)}:${run}:${item}${page === 0 ? '' : `:${page}`}`;
  return key.length <= MAX_LENGTH ? key : createHash('sha256').update(key).digest('hex');
}
