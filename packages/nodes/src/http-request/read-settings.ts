import type { Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { readBody } from './read-body';
import { byName, fieldsOf, jsonFields, textOf } from '../shared/http/request/read-fields';
import type {
  BatchSettings,
  CredentialType,
  Fields,
  ListStyle,
  Read,
  RequestSettings,
  ResponseSettings,
} from '../shared/http/settings';

const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_TIMEOUT_MS = 3_600_000;
const MAX_REDIRECTS = 21;
const LIST_STYLES: readonly ListStyle[] = ['repeat', 'brackets', 'indices'];
const FORMATS: readonly ResponseSettings['format'][] = ['autodetect', 'json', 'text', 'file'];

/**
 * Headers that follow from the connection and the body. Workflows copied from a browser contain them; they are
 * ignored.
 */
const DROPPED = new Set([
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'te',
  'expect',
  'proxy-connection',
]);

/**
 * Reads the request for one item from the parameters.
 * @throws NodeFailure if a value does not make a valid request
 */
export function readRequest(read: Read, version: number): RequestSettings {
  refuseUnsupported(read);
  const url = checkedUrl(read('url'));
  const body = read('sendBody') === true ? readBody(read, version) : undefined;
  const style = LIST_STYLES.find((one) => one === read('options.queryParameterArrays')) ?? 'indices';
  return {
    method: textOf(read('method') ?? 'GET'),
    url,
    query: read('sendQuery') === true ? queryOf(read, version) : [],
    listStyle: style,
    headers: read('sendHeaders') === true ? headersOf(read, new URL(url).host) : [],
    ...(body === undefined ? {} : { body }),
    timeoutMs: Math.min(positive(read('options.timeout')) ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS),
    followRedirects: read('options.redirect.redirect.followRedirects') !== false,
    maxRedirects: Math.min(positive(read('options.redirect.redirect.maxRedirects')) ?? MAX_REDIRECTS, MAX_REDIRECTS),
    allowUnauthorizedCerts: read('options.allowUnauthorizedCerts') === true,
    sendsIdempotencyKey: read('options.sendIdempotencyKey') === true,
  };
}

/** Reads how responses become items. */
export function readResponseSettings(read: Read): ResponseSettings {
  const at = 'options.response.response';
  return {
    format: FORMATS.find((format) => format === read(`${at}.responseFormat`)) ?? 'autodetect',
    property: textOf(read(`${at}.outputPropertyName`) ?? '') || 'data',
    isFull: read(`${at}.fullResponse`) === true,
    neverError: read(`${at}.neverError`) === true,
    keepsLists: read(`${at}.splitIntoItems`) === false,
    parsesText: read(`${at}.parsesText`) === true,
  };
}

/**
 * Reads the batching of requests. The values for the first item apply to all. A size below 1 turns batching off; 0
 * means 1.
 */
export function readBatches(read: Read): BatchSettings {
  if (read('options.batching.batch') === undefined) return { size: undefined, intervalMs: 0 };
  const size = Number(read('options.batching.batch.batchSize') ?? 50);
  const intervalMs = positive(read('options.batching.batch.batchInterval') ?? 1_000) ?? 0;
  return {
    size: size < 0 || !Number.isFinite(size) ? undefined : Math.max(1, Math.trunc(size)),
    intervalMs: Math.min(intervalMs, MAX_TIMEOUT_MS),
  };
}

/**
 * The credential type that the node uses.
 * @throws NodeFailure for an unknown authentication
 */
export function readCredentialType(read: Read): CredentialType {
  const authentication = read('authentication') ?? 'none';
  if (authentication === 'none') return undefined;
  const path = authentication === 'genericCredentialType' ? 'genericAuthType' : 'nodeCredentialType';
  const type = textOf(read(path) ?? '');
  if (type === '') throw new NodeFailure(`The node uses authentication, but \`${path}\` names no credential type.`);
  return type;
}

/**
 * Options of n8n that are not supported here. Activation rejects them, but an expression may still yield one.
 */
const UNSUPPORTED: readonly (readonly [path: string, message: string])[] = [
  ['options.proxy', 'Per-node proxies are not supported.'],
  ['options.sendCredentialsOnCrossOriginRedirect', 'Credentials are never sent on to another origin by a redirect.'],
];

function refuseUnsupported(read: Read): void {
  for (const [path, message] of UNSUPPORTED) {
    const given = read(path);
    if (given !== undefined && given !== null && given !== '' && given !== false)
      throw new NodeFailure(`${message} Remove \`${path}\` from the node.`);
  }
}

/**
 * A URL without surrounding whitespace.
 * @throws NodeFailure if it is not an absolute http or https URL
 */
export function checkedUrl(given: Json | undefined): string {
  if (typeof given !== 'string')
    throw new NodeFailure(
      `The URL must be a string, but it is ${given === undefined ? 'missing' : JSON.stringify(given).slice(0, 80)}.`,
    );
  const url = given.trim();
  if (!/^https?:\/\//i.test(url))
    throw new NodeFailure(`Invalid URL: ${url.slice(0, 200)}. URL must start with "http" or "https".`);
  if (!URL.canParse(url)) throw new NodeFailure(`Invalid URL: ${url.slice(0, 200)}.`);
  return url;
}

function queryOf(read: Read, version: number): Fields {
  if (read('specifyQuery') === 'json') return jsonFields(read('jsonQuery'), 'JSON Query Parameters');
  return byName(fieldsOf(read('queryParameters.parameters')), version);
}

function headersOf(read: Read, host: string): (readonly [string, string])[] {
  const given =
    read('specifyHeaders') === 'json'
      ? jsonFields(read('jsonHeaders'), 'JSON Headers')
      : fieldsOf(read('headerParameters.parameters'));
  const lower = read('options.lowercaseHeaders') !== false;
  const kept = given
    .filter(
      ([name, value]) =>
        value !== null && !DROPPED.has(name.toLowerCase()) && !(name.toLowerCase() === 'host' && value === host),
    )
    .map(([name, value]) => [lower ? name.toLowerCase() : name, textOf(value)] as const);
  return [...new Map(kept.map((header) => [header[0].toLowerCase(), header])).values()];
}

function positive(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? Math.trunc(number) : undefined;
}
