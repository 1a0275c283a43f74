import type { Json, JsonObject } from '@weft/node-catalogue';
import { sign } from 'jsonwebtoken';
import { type BinaryReference, type HttpResponse, type NodeContext, NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { typeInUtf8 } from '@weft/service-kit/content-types';
import { readKey } from '../jwt/jwt-key';
import {
  choiceParameter,
  numberParameter,
  objectsParameter,
  textParameter,
  toJsonObject,
} from '../shared/read-parameter';
import { setPath } from '../shared/values/json-path';
import { parseLooseJson } from '../shared/values/loose-json';

const KINDS = ['allIncomingItems', 'binary', 'firstIncomingItem', 'json', 'jwt', 'noData', 'redirect', 'text'] as const;
const FIX_JSON = 'Check quotes, commas and brackets, and that the value is not empty.';

/** A response and its description for the response output. */
interface Answer {
  readonly response: HttpResponse;
  /** With the headers that the node sets, and the body as a value. */
  readonly shown: JsonObject;
}

/** The response that a Respond to Webhook node configures, read for its first item. @throws NodeFailure */
export async function buildAnswer(context: NodeContext): Promise<Answer> {
  const kind = choiceParameter(context, 'respondWith', 0, KINDS);
  const status = responseCode(context, kind === 'redirect' ? 307 : 200);
  const headers = responseHeaders(context);
  const answer = (content: Content, toSend = headers): Answer => ({
    response: {
      status,
      headers: content.isUtf8 ? inUtf8({ 'content-type': content.type, ...toSend }) : toSend,
      ...content.sent,
    },
    shown: { ...(content.value === undefined ? {} : { body: content.value }), headers: toSend, statusCode: status },
  });
  switch (kind) {
    case 'allIncomingItems':
      return answer(
        jsonContent(
          keyed(
            context,
            context.items.map((item) => item.json),
          ),
        ),
      );
    case 'firstIncomingItem':
      return answer(jsonContent(keyed(context, context.items[0]?.json ?? {})));
    case 'json':
      return answer(responseJson(context));
    case 'jwt':
      return answer(jsonContent({ token: await signedPayload(context) }));
    case 'noData':
      return answer(NOTHING);
    case 'redirect':
      return answer(NOTHING, { ...headers, location: textParameter(context, 'redirectURL', 0) });
    case 'text':
      return answer(textContent(context));
    case 'binary': {
      const { id, mimeType } = answerFile(context);
      const content: Content = { isUtf8: false, sent: { body: '', fileId: id }, value: { binaryData: { id } } };
      return answer(content, { 'content-type': mimeType, ...headers });
    }
  }
}

/** The content of a response, without its headers. */
type Content = {
  readonly sent: Pick<HttpResponse, 'body' | 'fileId'>;
  /** The body as a value; absent if there is none. */
  readonly value?: Json;
} & ({ readonly isUtf8: true; readonly type: string } | { readonly isUtf8: false });

const NOTHING: Content = { isUtf8: false, sent: { body: '' } };

function jsonContent(value: Json): Content {
  return { isUtf8: true, type: 'application/json', sent: { body: JSON.stringify(value) }, value };
}

/** A string as given; any other value, even null, is sent as JSON. */
function textContent(context: NodeContext): Content {
  const raw = context.parameter('responseBody', 0);
  return contentOf(toJson(raw === undefined ? (context.defaultOf('responseBody') ?? '') : raw) ?? null);
}

/** A string is sent unchanged, any other value as JSON. */
function contentOf(value: Json): Content {
  if (typeof value !== 'string') return jsonContent(value);
  return { isUtf8: true, type: 'text/html', sent: { body: value }, value };
}

/** Headers of a text response. */
function inUtf8(headers: Readonly<Record<string, string>>): Record<string, string> {
  return { ...headers, 'content-type': typeInUtf8(headers['content-type'] ?? '') };
}

/** The selected file of the first item, or by default its first one. */
function answerFile(context: NodeContext): BinaryReference {
  const files = context.items[0]?.binary ?? {};
  const names = Object.keys(files);
  if (names.length === 0)
    throw new NodeFailure('No binary data exists on the first item!', {
      itemIndex: 0,
      description: 'The previous node must output a file.',
    });
  const source = choiceParameter(context, 'responseDataSource', 0, ['automatically', 'set']);
  const name = source === 'automatically' ? (names[0] ?? '') : textParameter(context, 'inputFieldName', 0, 'data');
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined)
    throw new NodeFailure(`The item has no binary field '${name}' [item 0]`, {
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
  return sign({ ...payload, iat: payload['iat'] ?? Math.floor(context.ports.clock.now() / 1_000) }, key, { algorithm });
}

function responseCode(context: NodeContext, initial: number): number {
  const code = numberParameter(context, 'options.responseCode', 0, initial);
  if (Number.isInteger(code) && code >= 200 && code <= 599) return code;
  throw new NodeFailure(`The response code ${code} is not an HTTP status from 200 to 599`);
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
        throw new NodeFailure(`"${header.slice(0, 100)}" is not a valid header name`);
      return [header, String(value ?? '').replace(/[\r\n\0]+/g, ' ')];
    }),
  );
}

function keyed(context: NodeContext, value: Json): Json {
  const key = textParameter(context, 'options.responseKey', 0);
  if (key === '') return value;
  const outer: JsonObject = {};
  setPath(outer, key, value);
  return outer;
}

/** The given JSON. A falsy value, including an empty string, is no content. */
function responseJson(context: NodeContext): Content {
  const value = context.parameter('responseBody', 0);
  if (!value) return NOTHING;
  const json = typeof value === 'string' ? parseLooseJson(value) : toJson(value);
  if (json !== undefined) return contentOf(json);
  throw new NodeFailure("Invalid JSON in 'Response Body' field", { description: FIX_JSON });
}
