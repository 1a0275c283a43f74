import { OutboundRefused } from './outbound-http';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Headers that belong to the connection or are worked out from the URL and the body. */
const RESERVED = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'content-length',
  'expect',
]);

const MAX_COUNT = 200;
const MAX_BYTES = 64 * 1024;

/** Values by name, in the order of first use and in the spelling of first use. */
export type HeaderMap = Map<string, { readonly name: string; readonly values: string[] }>;

/**
 * Checks and batches request headers.
 * @throws OutboundRefused for a name that is not a token, a value with line breaks or other control characters, a name
 * that belongs to the connection, and for more than 200 headers or 64 KiB of them.
 */
export function checkHeaders(headers: readonly (readonly [string, string])[]): HeaderMap {
  const merged: HeaderMap = new Map();
  let bytes = 0;
  if (headers.length > MAX_COUNT)
    throw new OutboundRefused('header-count', `The request has more than ${MAX_COUNT} headers.`);
  for (const [name, value] of headers) {
    checkHeader(name, value);
    bytes += name.length + value.length + 4;
    const key = name.toLowerCase();
    const present = merged.get(key);
    if (present === undefined) merged.set(key, { name, values: [value] });
    else present.values.push(value);
  }
  if (bytes > MAX_BYTES)
    throw new OutboundRefused('header-size', `The headers of the request have more than ${MAX_BYTES} bytes.`);
  return merged;
}

function checkHeader(name: string, value: string): void {
  // A bad name is not repeated in the message: it may hold anything, a secret included.
  if (!TOKEN.test(name))
    throw new OutboundRefused(
      'header-name',
      'A header name contains characters that are not allowed there, such as a space, a colon or a line break.',
    );
  if (RESERVED.has(name.toLowerCase()))
    throw new OutboundRefused(
      'reserved-header',
      `The header "${name}" is set by the service itself and cannot be given.`,
    );
  if (!VALUE.test(value)) {
    throw new OutboundRefused(
      'header-value',
      `The value of the header "${name}" contains a line break or another character that is not allowed in headers.`,
    );
  }
}

/** @throws OutboundRefused for anything but a method name, and for CONNECT and TRACE. */
export function checkMethod(method: string): string {
  const upper = method.toUpperCase();
  if (!TOKEN.test(method) || method.length > 32 || upper === 'CONNECT' || upper === 'TRACE') {
    throw new OutboundRefused(
      'method',
      'The request method is not allowed. Use for example GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.',
    );
  }
  return upper;
}
