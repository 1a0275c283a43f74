import { contentType as typeOfName, extension as extensionOfType } from 'mime-types';
import type { FileFacts } from '@weft/engine';
import type { OutboundResponse } from '@weft/outbound';
import { contentTypeOf } from './read-response';

const MAX_NAME = 255;

/**
 * Name and type of the file in a response: the name from Content-Disposition, else from the URL if it matches the type,
 * else `data`; the type from Content-Type, else from the name.
 */
export function fileFactsOf(response: OutboundResponse): FileFacts {
  const stated = dispositionName(response.headers['content-disposition']);
  const mimeType =
    mediaType(contentTypeOf(response)) ??
    mediaType(typeOfName(stated ?? lastSegment(response.url)) || '') ??
    'application/octet-stream';
  const byName = /\.([a-z0-9]{1,10})$/i.exec(stated ?? '')?.[1]?.toLowerCase();
  const extension = byName ?? (extensionOfType(mimeType) || undefined);
  const fileName = stated ?? nameFromUrl(response.url, extension);
  return {
    mimeType,
    fileName: fileName.slice(0, MAX_NAME),
    ...(extension === undefined ? {} : { fileExtension: extension }),
  };
}

function mediaType(contentType: string): string | undefined {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : undefined;
}

function nameFromUrl(url: string, extension: string | undefined): string {
  const last = lastSegment(url);
  if (extension === undefined) return last === '' ? 'data' : last;
  return last.toLowerCase().endsWith(`.${extension}`) ? last : `data.${extension}`;
}

function lastSegment(url: string): string {
  const segment = new URL(url).pathname.split('/').at(-1) ?? '';
  return safeName(decoded(segment));
}

function dispositionName(header: string | readonly string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  // Header bytes arrive as Latin-1, names are mostly UTF-8; the starred form states its encoding.
  const starred = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;]+)/i.exec(header)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header);
  const name =
    starred === undefined
      ? Buffer.from((plain?.[1] ?? plain?.[2] ?? '').trim(), 'latin1').toString('utf8')
      : decoded(starred.trim());
  return safeName(name) === '' ? undefined : safeName(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign is part of the name.
    return text;
  }
}

/** A name, never a path. */
function safeName(name: string): string {
  return (name.split(/[/\\]/).at(-1) ?? '').replaceAll(/[\u0000-\u001f\u007f]/g, '');
}
