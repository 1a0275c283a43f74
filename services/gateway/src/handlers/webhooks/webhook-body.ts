import { InvalidRequest } from '@weft/service-kit/errors';
import { JSON_LIMITS, parseJson } from '@weft/service-kit/json';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parse } from 'node:querystring';
import { checkBodyHeaders, hasBody, type ReadBody } from '../../middleware/read-body';

/** The item that carries the body nests it four levels deep, and is bound by the same limit as a whole. */
const LIMITS = { ...JSON_LIMITS, maxDepth: JSON_LIMITS.maxDepth - 4, refuseProto: false };
const MAX_FORM_FIELDS = 10_000;

const typeFault = (type: string): InvalidRequest =>
  new InvalidRequest(`A body of type ${type.slice(0, 100)} is not taken: send JSON, a URL-encoded form, XML or text. Files are not supported.`, [
    { field: 'Content-Type', description: 'Use application/json, application/x-www-form-urlencoded, application/xml or text/plain.' },
  ]);

const decode = (bytes: Buffer, parameters: string): string => {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(parameters)?.[1] ?? 'utf-8';
  if (/^utf-?8$/i.test(charset)) return bytes.toString('utf8');
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    throw new InvalidRequest(`The charset ${charset.slice(0, 50)} is not known: send the body in UTF-8.`);
  }
};

/** Text that is JSON stays as it came: numbers keep their digits, and a key such as __proto__ stays a key. */
const checkedJson = (text: string): string => {
  parseJson(Buffer.from(text), LIMITS);
  return text;
};

const formJson = (text: string): string => {
  let fields = 1;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) fields += 1;
  if (fields > MAX_FORM_FIELDS) throw new InvalidRequest(`A form can have ${MAX_FORM_FIELDS} fields at most.`);
  return JSON.stringify(parse(text, '&', '=', { maxKeys: 0 }));
};

const isText = (type: string): boolean => type === '' || type.startsWith('text/') || type === 'application/xml' || type.endsWith('+xml');

/**
 * Reads the body of a webhook request by its content type.
 * @returns JSON text: the JSON itself, a form as an object (repeated fields as lists), other text as a string, `{}` if there is none.
 * @throws InvalidRequest; PayloadTooLarge; Unavailable
 */
export const readWebhookBody = async (request: IncomingMessage, response: ServerResponse, readBody: ReadBody): Promise<string> => {
  checkBodyHeaders(request);
  if (!hasBody(request)) return '{}';
  const [named = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const type = named.trim().toLowerCase();
  const isJson = type === 'application/json' || type.endsWith('+json');
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isJson && !isForm && !isText(type)) throw typeFault(type);
  const bytes = await readBody(request, response);
  if (bytes.length === 0) return '{}';
  const text = decode(bytes, parameters.join(';'));
  if (isJson) return checkedJson(text);
  return isForm ? formJson(text) : JSON.stringify(text);
};
