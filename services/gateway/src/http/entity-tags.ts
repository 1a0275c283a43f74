import { InvalidRequest } from '@weft/service-kit/errors';
import type { IncomingHttpHeaders } from 'node:http';
import type { HeaderParameter } from '../openapi/route-doc';

/** Request header for a response only if the state differs from the known ones. */
export const IF_NONE_MATCH: HeaderParameter = {
  name: 'If-None-Match',
  description: 'ETags of earlier responses. The response is 304 if one of them is current.',
};

/** Request header for changing a resource only if it is in the state that the caller has seen. */
export const IF_MATCH: HeaderParameter = {
  name: 'If-Match',
  description: 'ETags of earlier responses, or `*`. The response is 412 if none of them is current.',
  pattern: String.raw`^(\*|(W/)?"[\x21\x23-\x7e]*"(, ?(W/)?"[\x21\x23-\x7e]*")*)$`,
};

/** Request header for adding a resource that must not exist yet. */
export const IF_ABSENT: HeaderParameter = {
  name: 'If-None-Match',
  description: '`*`: the response is 412 if there is one already.',
  pattern: String.raw`^\*$`,
};

/** A tag without its quotes, with a leading `W/` if it is weak. None of our strong tags begins like that. */
interface EntityTag {
  readonly text: string;
  readonly isWeak: boolean;
}

/** One element of a list of entity tags (RFC 9110, 8.8.3), with its trailing comma; elements may be empty. */
const ELEMENT = /[ \t]*(?:(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*)?(?:,|$)/y;

/** The tags of a header; undefined if it is malformed. */
const readTags = (header: string): readonly EntityTag[] | undefined => {
  const tags: EntityTag[] = [];
  ELEMENT.lastIndex = 0;
  while (ELEMENT.lastIndex < header.length) {
    const found = ELEMENT.exec(header);
    if (found === null) return undefined;
    const [, weak, text] = found;
    if (text !== undefined) tags.push({ text, isWeak: weak !== undefined });
  }
  return tags;
};

/** States listed in If-None-Match: any, or those with one of the tags. */
export interface KnownTags {
  readonly isAny: boolean;
  readonly tags: readonly string[];
}

/** The tags in If-None-Match; weak ones count like strong ones (RFC 9110, 13.1.2). A malformed header is ignored. */
export const knownTags = (headers: IncomingHttpHeaders): KnownTags => {
  const header = headers['if-none-match'] ?? '';
  return header.trim() === '*'
    ? { isAny: true, tags: [] }
    : { isAny: false, tags: (readTags(header) ?? []).map(({ text }) => text) };
};

/**
 * The tags in If-Match, one of which the resource must have; empty if any will do. Weak ones match nothing (RFC 9110,
 * 13.1.1).
 * @throws InvalidRequest if the header is malformed, because a condition must not be dropped
 */
export const wantedTags = (headers: IncomingHttpHeaders): readonly string[] => {
  const header = headers['if-match'];
  if (header === undefined || header.trim() === '*') return [];
  const tags = readTags(header) ?? [];
  if (tags.length === 0)
    throw new InvalidRequest('If-Match cannot be used.', [
      { field: 'If-Match', message: 'must be * or ETags that GET gave, with their quotes' },
    ]);
  return tags.map(({ text, isWeak }) => (isWeak ? `W/${text}` : text));
};

/** The condition of a call by If-Match; absent without tags. @throws InvalidRequest if the header is malformed */
export const ifMatch = (headers: IncomingHttpHeaders): { readonly condition?: { readonly etags: string[] } } => {
  const etags = wantedTags(headers);
  return etags.length === 0 ? {} : { condition: { etags: [...etags] } };
};

/**
 * The condition of a call that adds or replaces a resource: If-None-Match `*` wants the empty tag, which stands for a
 * resource that does not exist; otherwise as `ifMatch`. @throws InvalidRequest if a header cannot be used
 */
export const ifMatchOrAbsent = (headers: IncomingHttpHeaders): ReturnType<typeof ifMatch> => {
  const absent = headers['if-none-match'];
  if (absent === undefined) return ifMatch(headers);
  if (absent.trim() !== '*' || headers['if-match'] !== undefined)
    throw new InvalidRequest('If-None-Match cannot be used.', [
      { field: 'If-None-Match', message: 'must be *, without If-Match' },
    ]);
  return { condition: { etags: [''] } };
};

/** The headers of a response with an object; empty if the service, of an earlier release, sent no tag. */
export const taggedBy = (etag: string | undefined): Readonly<Record<string, string>> =>
  etag === undefined ? {} : revalidated(etag);

/** Headers that let a client cache the response, but revalidate it each time. */
export const revalidated = (tag: string): Readonly<Record<string, string>> => ({
  etag: `"${tag}"`,
  'cache-control': 'private, no-cache',
});
