import type { Json, JsonObject } from '@weft/node-catalogue/definitions';
import { EditError } from '../edit-error';
import { shellWords } from './shell-words';
import { bodyParameters, literal, pairsOf, type CurlBody } from './curl-body';

/** The version of the HTTP request node whose parameters are written. */
const NODE_VERSION = 4.2;

/** Characters of a command. */
const MAX_COMMAND = 1_000_000;

/** True for a text that is meant to be a curl command. */
export function isCurl(text: string): boolean {
  return /^(?:\$\s{1,8})?curl(?:\.exe)?\s/i.test(text.slice(0, 50));
}

/** Options that change nothing about the request, or that the node does anyway. */
const IGNORED: ReadonlySet<string> = new Set(
  `-s --silent -S --show-error -v --verbose -i --include -f --fail -N --no-buffer -L --location --compressed -#
   --progress-bar --http1.1 --http2 -O --remote-name -g --globoff --fail-with-body --no-progress-meter --path-as-is -4
   -6 --ipv4 --ipv6`.split(/\s+/),
);

/** The same with a value. */
const IGNORED_WITH_VALUE: ReadonlySet<string> = new Set([
  '-o',
  '--output',
  '-w',
  '--write-out',
  '--connect-timeout',
  '--retry',
]);

/** Names of short options with a value, which may be written without a space. */
const SHORT: Readonly<Record<string, string>> = {
  '-X': '--request',
  '-H': '--header',
  '-d': '--data',
  '-u': '--user',
  '-F': '--form',
  '-G': '--get',
  '-I': '--head',
  '-b': '--cookie',
  '-A': '--user-agent',
  '-e': '--referer',
  '-k': '--insecure',
  '-m': '--max-time',
};

const FLAGS: ReadonlySet<string> = new Set(['--get', '--head', '--insecure']);

/** A request as curl would send it. */
class CurlRequest implements CurlBody {
  url: string | undefined;
  method: string | undefined;
  readonly headers: [string, string][] = [];
  readonly data: { readonly option: string; readonly value: string }[] = [];
  readonly parts: [string, string][] = [];
  readonly flags = new Set<string>();
  timeoutMs: number | undefined;

  take(option: string, value: string): void {
    switch (option) {
      case '--url':
        this.setUrl(value);
        break;
      case '--request':
        this.method = value.toUpperCase();
        break;
      case '--header':
        this.#header(value);
        break;
      case '--user-agent':
        this.headers.push(['User-Agent', value]);
        break;
      case '--referer':
        this.headers.push(['Referer', value]);
        break;
      case '--cookie':
        if (!value.includes('=')) throw unsupported(`-b ${value}`, 'a file with cookies cannot be read');
        this.headers.push(['Cookie', value]);
        break;
      case '--user':
        this.headers.push(['Authorization', `Basic ${base64(value.includes(':') ? value : `${value}:`)}`]);
        break;
      case '--max-time':
        this.timeoutMs = secondsOf(value);
        break;
      case '--form':
      case '--form-string':
        this.#part(option, value);
        break;
      case '--data':
      case '--data-ascii':
      case '--data-binary':
      case '--data-raw':
      case '--data-urlencode':
      case '--json':
        if (option !== '--data-raw' && option !== '--data-urlencode' && value.startsWith('@'))
          throw unsupported(`${option} ${value}`, 'a file cannot be read here');
        this.data.push({ option, value });
        break;
      default:
        throw unsupported(option, 'it is not supported');
    }
  }

  setUrl(url: string): void {
    if (this.url !== undefined)
      throw new EditError('INVALID_CURL', 'The curl command has two addresses. Paste one request at a time.');
    this.url = /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(url) || url.startsWith('{{') ? url : `http://${url}`;
  }

  #header(value: string): void {
    const colon = value.indexOf(':');
    // `Name;` sends an empty header, and `Name:` leaves one out that curl would send.
    if (colon < 0 && value.endsWith(';')) this.headers.push([value.slice(0, -1).trim(), '']);
    else if (colon > 0 && value.slice(colon + 1).trim() !== '')
      this.headers.push([value.slice(0, colon).trim(), value.slice(colon + 1).trim()]);
  }

  #part(option: string, value: string): void {
    const equals = value.indexOf('=');
    if (equals < 1) throw new EditError('INVALID_CURL', `The option ${option} needs \`name=value\`.`);
    const content = value.slice(equals + 1);
    if (option === '--form' && /^[@<]/.test(content))
      throw unsupported(`-F ${value}`, 'a file cannot be read here; add it to the node as binary data');
    this.parts.push([value.slice(0, equals), content]);
  }
}

function unsupported(option: string, why: string): EditError {
  return new EditError('INVALID_CURL', `The option ${option.slice(0, 100)} of the curl command: ${why}.`);
}

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (value === '' || !Number.isFinite(seconds) || seconds < 0)
    throw new EditError('INVALID_CURL', 'The option --max-time needs a number of seconds.');
  return Math.round(seconds * 1_000);
}

/** Base64 of the UTF-8 bytes. */
function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * The HTTP request node for a curl command.
 * @throws EditError `INVALID_CURL` for a command that is broken, has options that are not supported, or reads files
 */
export function requestNodeOf(command: string): JsonObject {
  if (command.length > MAX_COMMAND) throw new EditError('TOO_LARGE', 'The curl command is too long.');
  const request = parseCommand(command.replace(/^\$\s{1,8}/, ''));
  if (request.url === undefined) throw new EditError('INVALID_CURL', 'The curl command has no address.');
  return {
    parameters: parametersOf(request, request.url),
    name: 'HTTP Request',
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: NODE_VERSION,
    position: [0, 0],
  };
}

function parseCommand(command: string): CurlRequest {
  const words = shellWords(command).slice(1);
  const request = new CurlRequest();
  const next = (option: string): string => {
    const value = words.shift();
    if (value === undefined) throw new EditError('INVALID_CURL', `The option ${option} needs a value.`);
    return value;
  };
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (!word.startsWith('-') || word === '-') request.setUrl(word);
    else if (IGNORED.has(word)) continue;
    else if (IGNORED_WITH_VALUE.has(word)) next(word);
    else if (word.startsWith('--')) {
      const equals = word.indexOf('=');
      const option = equals < 0 ? word : word.slice(0, equals);
      if (FLAGS.has(option)) request.flags.add(option);
      else request.take(option, equals < 0 ? next(option) : word.slice(equals + 1));
    } else readShort(word, request, words, next);
  }
  return request;
}

/** `-sX POST`, `-XPOST`, `-kd '…'`: flags may precede one option with a value. */
function readShort(word: string, request: CurlRequest, words: string[], next: (option: string) => string): void {
  const short = word.slice(0, 2);
  const rest = word.slice(2);
  const option = Object.hasOwn(SHORT, short) ? SHORT[short] : undefined;
  if (option !== undefined && !FLAGS.has(option)) request.take(option, rest === '' ? next(short) : rest);
  else if (IGNORED_WITH_VALUE.has(short)) {
    if (rest === '') next(short);
  } else if (option === undefined && !IGNORED.has(short)) throw unsupported(short, 'it is not supported');
  else {
    if (option !== undefined) request.flags.add(option);
    if (rest !== '') words.unshift(`-${rest}`);
  }
}

function parametersOf(request: CurlRequest, url: string): JsonObject {
  const isQuery = request.flags.has('--get');
  const hasBody = !isQuery && (request.data.length > 0 || request.parts.length > 0);
  const { address, query } = splitUrl(isQuery ? withQuery(url, request) : url);
  const method = request.flags.has('--head') ? 'HEAD' : (request.method ?? (hasBody ? 'POST' : 'GET'));
  const written = hasBody ? bodyParameters(request) : { parameters: {}, isTypeWritten: false };
  const headers = request.headers.filter(([name]) => !written.isTypeWritten || name.toLowerCase() !== 'content-type');
  const options: Record<string, Json> = {
    ...(request.flags.has('--insecure') ? { allowUnauthorizedCerts: true } : {}),
    ...(request.timeoutMs === undefined ? {} : { timeout: request.timeoutMs }),
  };
  return {
    ...(method === 'GET' ? {} : { method }),
    url: literal(address),
    ...(query.length === 0 ? {} : { sendQuery: true, queryParameters: { parameters: pairsOf(query) } }),
    ...(headers.length === 0 ? {} : { sendHeaders: true, headerParameters: { parameters: pairsOf(headers) } }),
    ...written.parameters,
    options,
  };
}

function withQuery(url: string, { data }: CurlRequest): string {
  return `${url}${url.includes('?') ? '&' : '?'}${data.map(({ value }) => value).join('&')}`;
}

/** The address and the pairs of its query. A query that is not made of pairs stays in the address. */
function splitUrl(url: string): { readonly address: string; readonly query: [string, string][] } {
  const [whole = '', fragment] = url.split('#', 2);
  const at = whole.indexOf('?');
  const pairs = at < 0 ? [] : whole.slice(at + 1).split('&');
  if (pairs.length === 0 || !pairs.every((pair) => /^[^=]/.test(pair) && pair.includes('=')))
    return { address: fragment === undefined ? whole : url, query: [] };
  return { address: whole.slice(0, at), query: [...new URLSearchParams(whole.slice(at + 1))] };
}
