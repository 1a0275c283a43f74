import type { Json } from '@weft/node-catalogue';
import type { Fields, ListStyle } from '../settings';

/**
 * Writes fields as a query or a form body, without a leading `?`. Null is an empty string, objects become `a[b]=c`,
 * arrays follow `style`.
 */
export function queryString(fields: Fields, style: ListStyle): string {
  return fields
    .flatMap(([name, value]) => flatten(name, value, style))
    .map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
    .join('&');
}

/** Appends fields to the query of a URL. The fragment is dropped: it is never sent. */
export function withQuery(url: string, fields: Fields, style: ListStyle): string {
  const whole = new URL(url);
  whole.hash = '';
  const added = queryString(fields, style);
  if (added !== '') whole.search = whole.search === '' ? added : `${whole.search}&${added}`;
  return whole.href;
}

function flatten(name: string, value: Json, style: ListStyle): (readonly [string, string])[] {
  if (value === null) return [[name, '']];
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => flatten(listName(name, index, style), entry, style));
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, entry]) => flatten(`${name}[${key}]`, entry, style));
  }
  return [[name, String(value)]];
}

function listName(name: string, index: number, style: ListStyle): string {
  switch (style) {
    case 'repeat':
      return name;
    case 'brackets':
      return `${name}[]`;
    case 'indices':
      return `${name}[${index}]`;
  }
}

/** Percent-encodes any string; unpaired surrogates become replacement characters. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
