import type { Json, JsonObject } from '@weft/node-catalogue/definitions';

/** Parts of a request that determine its body. */
export interface CurlBody {
  readonly headers: readonly (readonly [string, string])[];
  readonly data: readonly { readonly option: string; readonly value: string }[];
  /** Fields of a form with parts. */
  readonly parts: readonly (readonly [string, string])[];
}

const FORM = 'application/x-www-form-urlencoded';

/**
 * Parameters of the HTTP request node for a body.
 * @returns `isTypeWritten` is true if they determine the content type, so that no header should
 */
export function bodyParameters(body: CurlBody): { readonly parameters: JsonObject; readonly isTypeWritten: boolean } {
  if (body.parts.length > 0) {
    const parameters = body.parts.map(([name, value]) => ({
      parameterType: 'formData',
      name: literal(name),
      value: literal(value),
    }));
    return written({ contentType: 'multipart-form-data', bodyParameters: { parameters } });
  }
  const isJson = body.data.some(({ option }) => option === '--json');
  const given = body.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const type = given ?? (isJson ? 'application/json' : FORM);
  const text = body.data
    .map(({ option, value }) => (option === '--data-urlencode' ? encoded(value) : value))
    .join(isJson ? '' : '&');
  if (/\bjson\b/i.test(type) && isJsonText(text))
    return written(
      { contentType: 'json', specifyBody: 'json', jsonBody: literal(text) },
      given === undefined || type === 'application/json',
    );
  if (type.toLowerCase().startsWith(FORM) && isForm(text)) {
    const parameters = pairsOf([...new URLSearchParams(text)]);
    return written({ contentType: 'form-urlencoded', bodyParameters: { parameters } });
  }
  return written({ contentType: 'raw', rawContentType: literal(type), body: literal(text) });
}

function written(parameters: JsonObject, isTypeWritten = true): ReturnType<typeof bodyParameters> {
  return { parameters: { sendBody: true, ...parameters }, isTypeWritten };
}

/** `name=value` of `--data-urlencode`, of which only the value is encoded. */
function encoded(value: string): string {
  const equals = value.indexOf('=');
  if (equals < 0) return encodeURIComponent(value);
  const name = value.slice(0, equals);
  return `${name}${name === '' ? '' : '='}${encodeURIComponent(value.slice(equals + 1))}`;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isForm(text: string): boolean {
  return text !== '' && text.split('&').every((pair) => /^[^=\s{[]/.test(pair) && pair.includes('='));
}

/** Entries of a list of names and values. */
export function pairsOf(pairs: readonly (readonly [string, string])[]): Json[] {
  return pairs.map(([name, value]) => ({ name: literal(name), value: literal(value) }));
}

/** A parameter with exactly this string: one that begins with `=` would be an expression. */
export function literal(text: string): string {
  if (!text.startsWith('=')) return text;
  if (!text.includes('{{')) return `=${text}`;
  const quoted = JSON.stringify(text).replaceAll('{', '\\x7b').replaceAll('}', '\\x7d');
  return `={{ ${quoted} }}`;
}
