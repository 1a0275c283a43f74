import type { Json, JsonObject } from '@weft/node-catalogue';
import { sign } from 'jsonwebtoken';
import { type BinaryReference, type HttpResponse, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { readKey } from '../jwt/jwt-key';
import {
  choiceParameter,
  numberParameter,
  objectsParameter,
  textParameter,
  toJsonObject,
} from '../shared/read-parameter';
import { parseLooseJson } from '../shared/values/loose-json';

const KINDS = ['allIncomingItems', 'binary', 'firstIncomingItem', 'json', 'jwt', 'noData', 'redirect', 'text'] as const;
const FIX_JSON = 'Check quotes, commas and brackets, and that the value is not empty.';

/** The answer that a Respond to Webhook node's parameters describe, read for its first item. @throws NodeFailure */
export async function buildAnswer(context: NodeContext): Promise<HttpResponse> {
  const kind = choiceParameter(context, 'respondWith', 0, KINDS);
  const status = responseCode(context, kind === 'redirect' ? 307 : 200);
  const headers = responseHeaders(context);
  const json = (value: Json): HttpResponse => ({
    status,
    headers: inUtf8({ 'content-type': 'application/json', ...headers }),
    body: JSON.stringify(value),
  });
  switch (kind) {
    case 'allIncomingItems':
      return json(
        keyed(
          context,
          context.items.map((item) => item.json),
        ),
      );
    case 'firstIncomingItem':
      return json(keyed(context, context.items[0]?.json ?? {}));
    case 'json':
      return json(responseJson(context));
    case 'jwt':
      return json({ token: await signedPayload(context) });
    case 'noData':
      return { status, headers, body: '' };
    case 'redirect':
      return { status, headers: { ...headers, location: textParameter(context, 'redirectURL', 0) }, body: '' };
    case 'text':
      return textAnswer(context, status, headers);
    case 'binary': {
      const { id, mimeType } = answerFile(context);
      return { status, headers: { 'content-type': mimeType, ...headers }, body: '', fileId: id };
    }
  }
}

/** Text as it is. Any other value is sent as JSON. */
function textAnswer(context: NodeContext, status: number, headers: Record<string, string>): HttpResponse {
  const stated = context.parameter('responseBody', 0) ?? context.defaultOf('responseBody') ?? '';
  const [type, body] =
    typeof stated === 'string' ? ['text/html', stated] : ['application/json', JSON.stringify(toJson(stated) ?? null)];
  return { status, headers: inUtf8({ 'content-type': type, ...headers }), body };
}

/** Headers of an answer that is text: its type, also one that the workflow states, says that it is UTF-8. */
function inUtf8(headers: Readonly<Record<string, string>>): Record<string, string> {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const others = parameters.filter((parameter) => parameter !== '' && !/^charset\s*=/i.test(parameter));
  return { ...headers, 'content-type': [type, ...others, 'charset=utf-8'].join('; ') };
}

/** The named file of the first item, or else its first one. */
function answerFile(context: NodeContext): BinaryReference {
  const files = context.items[0]?.binary ?? {};
  const names = Object.keys(files);
  if (names.length === 0)
    throw new NodeFailure('No binary data exists on the first item!', {
      itemIndex: 0,
      description: 'The node before has to give a file.',
    });
  const source = choiceParameter(context, 'responseDataSource', 0, ['automatically', 'set']);
  const name = source === 'automatically' ? (names[0] ?? '') : textParameter(context, 'inputFieldName', 0, 'data');
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined)
    throw new NodeFailure(`The first item has no file under "${name}"`, {
      itemIndex: 0,
      description: `It has files under: ${names.join(', ')}.`,
    });
  return file;
}

async function signedPayload(context: NodeContext): Promise<string> {
  const value = context.parameter('payload', 0);
  const payload: JsonObject | undefined = toJsonObject(typeof value === 'string' ? parseLooseJson(value) : value);
  if (payload === undefined)
    throw new NodeFailure("Invalid JSON in 'Payload' field: it must be an object", { description: FIX_JSON });
  const { key, algorithm } = readKey(await context.credential('jwtAuth'), 'sign', '');
  return sign({ iat: Math.floor(context.ports.clock.now() / 1_000), ...payload }, key, { algorithm });
}

function responseCode(context: NodeContext, initial: number): number {
  const code = numberParameter(context, 'options.responseCode', 0, initial);
  if (Number.isInteger(code) && code >= 200 && code <= 599) return code;
  throw new NodeFailure(`The response code ${code} is no HTTP status from 200 to 599`);
}

function responseHeaders(context: NodeContext): Record<string, string> {
  const entries = objectsParameter(context, 'options.responseHeaders.entries', 0);
  return Object.fromEntries(
    entries.map(({ name, value }): [string, string] => {
      const header = String(name ?? '')
        .trim()
        .toLowerCase();
      // Characters that could end a header line early would let a workflow's data inject headers.
      if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(header))
        throw new NodeFailure(`"${header.slice(0, 100)}" is no name for a header`);
      return [header, String(value ?? '').replace(/[\r\n\0]+/g, ' ')];
    }),
  );
}

function keyed(context: NodeContext, value: Json): Json {
  const key = textParameter(context, 'options.responseKey', 0);
  return key === '' ? value : { [key]: value };
}

function responseJson(context: NodeContext): Json {
  const value = context.parameter('responseBody', 0);
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (json !== undefined) return json;
  throw new NodeFailure("Invalid JSON in 'Response Body' field", { description: FIX_JSON });
}
