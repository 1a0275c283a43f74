import { contentType as typeOfName, extension as extensionOfType } from 'mime-types';
import type { FileFacts } from '@weft/engine';
import type { OutboundResponse } from '@weft/outbound';
import { contentTypeOf } from './read-response';

const MAX_NAME = 255;
/** Name and type of a file if neither the response nor the URL has any. */
const UNKNOWN_TYPE = 'text/plain';

/**
 * Name and type of the file in a response: the name from Content-Disposition, else the last part of the URL's path,
 * else `data`; the type from Content-Type, else from the name, else text.
 */
export function fileFactsOf(response: OutboundResponse): FileFacts {
  const given = dispositionName(response.headers['content-disposition']);
  const knownType =
    mediaType(contentTypeOf(response)) ?? mediaType(typeOfName(given ?? lastSegment(response.url)) || '');
  const byName = /\.([a-z0-9]{1,10})$/i.exec(given ?? '')?.[1]?.toLowerCase();
  const extension = byName ?? (knownType === undefined ? undefined : extensionOfType(knownType) || undefined);
  const fileName = given ?? nameFromUrl(response.url, extension);
  return {
    mimeType: knownType ?? UNKNOWN_TYPE,
    fileName: fileName.slice(0, MAX_NAME),
    ...(extension === undefined ? {} : { fileExtension: extension }),
  };
}

function mediaType(contentType: string): string | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined;
}

function nameFromUrl(url: string, extension: string | undefined): string {
  return lastSegment(url) || (extension === undefined ? 'data' : `data.${extension}`);
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  return safeName(decoded(segment));
}

function dispositionName(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  // Header bytes arrive as Latin-1, but names are mostly UTF-8; the starred form declares its encoding.
  const parameters = headerParameters(header);
  const starred = /^utf-8'[^']*'(.+)$/i.exec(parameters.get('filename*') ?? '')?.[1];
  const name =
    starred === undefined
      ? Buffer.from((parameters.get('filename') ?? '').trim(), 'latin1').toString('utf8')
      : decoded(starred.trim());
  return safeName(name) === '' ? undefined : safeName(name);
}

/** The parameters of a header, by their names in lower case; of several with one name the first. Read in one pass. */
function headerParameters(header: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (let at = header.indexOf(';'); at >= 0 && at < header.length;) {
    const equals = header.indexOf('=', at);
    if (equals < 0) break;
    // The part behind the last separator before the sign: parameters without a value are passed over.
    const name = header
      .slice(header.lastIndexOf(';', equals) + 1, equals)
      .trim()
      .toLowerCase();
    const { value, end } = parameterValue(header, equals + 1);
    if (value !== '' && !parameters.has(name)) parameters.set(name, value);
    at = header.indexOf(';', end);
  }
  return parameters;
}

/** The value at a place, without its quotes. A quote without an end is a part of the value. */
function parameterValue(header: string, from: number): { readonly value: string; readonly end: number } {
  let start = from;
  while (/[ \t]/.test(header.charAt(start))) start += 1;
  const next = header.indexOf(';', start);
  const plainEnd = next < 0 ? header.length : next;
  if (header[start] !== '"') return { value: header.slice(start, plainEnd), end: plainEnd };
  let end = start + 1;
  while (end < header.length && header[end] !== '"') end += header[end] === '\\' ? 2 : 1;
  if (end >= header.length) return { value: header.slice(start, plainEnd), end: plainEnd };
  return { value: header.slice(start + 1, end), end: end + 1 };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is part of the name.
    return text;
  }
}

/** Strips folders: the result is a name, never a path. */
function safeName(name: string): string {
  return (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '');
}
