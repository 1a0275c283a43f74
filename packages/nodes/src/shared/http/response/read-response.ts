import type { Json, JsonObject } from '@weft/node-catalogue';
import { type NodeContext, NodeFailure } from '@weft/engine';
import type { OutboundResponse } from '@weft/outbound';
import { decodeText } from './decode-text';
import { parseLongJsonText } from './parse-json-text';
import type { ResponseSettings } from '../settings';

/** A response in the node's output. */
export type ReadResponse = { readonly response: OutboundResponse } & (
  | { readonly kind: 'json'; readonly body: Json }
  /** Undefined for a response without content; JSON even if text was requested. */
  | { readonly kind: 'text'; readonly body: Json | undefined }
  | { readonly kind: 'file' }
);

/** Reads a response that must be JSON. */
export const JSON_ANSWER: ResponseSettings = { format: 'json', property: 'data', isFull: false, neverError: false };

/** Media type prefixes of responses that become files if no format is set. */
const FILE_TYPES: readonly string[] = [
  'image/',
  'audio/',
  'video/',
  'font/',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'application/gzip',
  'application/x-gzip',
  'application/x-bzip',
  'application/x-7z-compressed',
  'application/x-rar',
  'application/vnd.rar',
  'application/x-tar',
  'application/epub+zip',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.ms-fontobject',
  'application/vnd.visio',
  'application/vnd.openxmlformats-officedocument.',
  'application/vnd.oasis.opendocument.',
  'application/vnd.amazon.ebook',
  'application/x-cdf',
];

/** Yields the thread to other runs. */
type Pause = NodeContext['pause'];

/**
 * Reads the body of a response in the given format, or in that of its content type.
 * @throws NodeFailure if JSON is required and the body is invalid
 */
export async function readResponse(
  response: OutboundResponse,
  settings: ResponseSettings,
  pause: Pause,
): Promise<ReadResponse> {
  const contentType = contentTypeOf(response);
  switch (settings.format === 'autodetect' ? detect(contentType) : settings.format) {
    case 'json':
      return { kind: 'json', response, body: await jsonBody(response, settings, contentType, pause) };
    case 'text':
      return { kind: 'text', response, body: await textBody(response, settings, contentType, pause) };
    case 'file':
      return { kind: 'file', response };
  }
}

export function contentTypeOf(response: OutboundResponse): string {
  const value = response.headers['content-type'];
  return typeof value === 'string' ? value : '';
}

/** Headers of a response as JSON. */
export function headersOf(response: OutboundResponse): JsonObject {
  return Object.fromEntries(
    Object.entries(response.headers).map(([name, value]): [string, Json] => [
      name,
      typeof value === 'string' ? value : [...value],
    ]),
  );
}

function detect(contentType: string): 'json' | 'text' | 'file' {
  const type = contentType.toLowerCase();
  if (type.includes('application/json')) return 'json';
  return FILE_TYPES.some((start) => type.startsWith(start)) ? 'file' : 'text';
}

/**
 * JSON is parsed even if text is requested, as in n8n. Versions 1 and 2 output its value; later ones write objects and
 * arrays as JSON again, and output any other value.
 */
async function textBody(
  response: OutboundResponse,
  settings: ResponseSettings,
  contentType: string,
  pause: Pause,
): Promise<Json | undefined> {
  const text = decodeText(response.body, contentType);
  if (text === '' || settings.format !== 'text') return text || undefined;
  try {
    const value = await parseLongJsonText(text, pause);
    return settings.parsesText !== true && value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    // Not JSON, or nested too deeply: text.
    return text;
  }
}

async function jsonBody(
  response: OutboundResponse,
  settings: ResponseSettings,
  contentType: string,
  pause: Pause,
): Promise<Json> {
  const text = decodeText(response.body, contentType);
  // Many services respond to a deletion without content.
  if (text.trim() === '') return {};
  try {
    return await parseLongJsonText(text, pause);
  } catch (cause) {
    // The run was stopped while it had yielded.
    if (!(cause instanceof SyntaxError)) throw cause;
    if (settings.format !== 'autodetect')
      throw new NodeFailure('Response body is not valid JSON. Change "Response Format" to "Text"', { cause });
    if (settings.neverError) return {};
    throw new NodeFailure('Invalid JSON in response body', { cause });
  }
}
