import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { PreparedCode } from './prepare-code';

/** A request that code asks for. */
export interface CodeRequest {
  /** Name of a call. */
  readonly call: string;
  /** GET, POST and so on; that of the call if it is absent. */
  readonly method: string | undefined;
  readonly isForm: boolean;
  /** `$request`: path, query, headers and body. */
  readonly parts: JsonObject;
}

/** Result of one call of the code. */
export interface CodeRound {
  readonly state: Json;
  /** Requests to send before the code is called again; none: the code has finished. */
  readonly requests: readonly CodeRequest[];
  readonly items: readonly Json[];
}

/** Maximum number of requests in one round. */
const MAX_REQUESTS = 10;
/** Maximum length in characters of a message of the code. */
const MAX_MESSAGE = 1_000;
const METHODS: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];
const RESULT_FIELDS: readonly string[] = ['state', 'requests', 'items', 'fail'];
const PARTS: readonly string[] = ['path', 'query', 'headers', 'body'];
const WITH_FIELDS: readonly string[] = [...PARTS, 'method', 'form'];

/**
 * Reads what the code returned, which may be anything.
 * @throws NodeFailure with the message of the code if it fails, or if the value does not have the form of a round
 */
export function readRound(value: unknown, { calls }: PreparedCode, path: string): CodeRound {
  if (!isJsonObject(value)) throw wrong(path, 'it must return an object');
  refuseOthers(value, RESULT_FIELDS, 'The result', path);
  const { fail, state = null, requests = [], items = [] } = value;
  if (fail !== undefined && fail !== null) throw new NodeFailure(messageIn(fail));
  if (!Array.isArray(items)) throw wrong(path, '`items` must be a list');
  if (!Array.isArray(requests)) throw wrong(path, '`requests` must be a list');
  if (requests.length > MAX_REQUESTS)
    throw wrong(path, `it asks for ${requests.length} requests at once, and at most ${MAX_REQUESTS} are allowed`);
  return { state, items, requests: requests.map((request) => requestIn(request, [...calls.keys()], path)) };
}

function requestIn(value: Json, calls: readonly string[], path: string): CodeRequest {
  if (!isJsonObject(value)) throw wrong(path, 'a request must be an object');
  refuseOthers(value, ['call', 'with'], 'A request', path);
  const { call, with: parts = {} } = value;
  if (typeof call !== 'string' || !calls.includes(call))
    throw wrong(
      path,
      `the call ${JSON.stringify(call ?? null).slice(0, 80)} is not among its \`calls\`: ${calls.join(', ')}`,
    );
  if (!isJsonObject(parts)) throw wrong(path, '`with` must be an object');
  refuseOthers(parts, WITH_FIELDS, '`with`', path);
  const { method, form, ...others } = parts;
  if (method !== undefined && (typeof method !== 'string' || !METHODS.includes(method)))
    throw wrong(path, `\`method\` must be one of ${METHODS.join(', ')}`);
  for (const name of ['query', 'headers'])
    if (others[name] !== undefined && !isJsonObject(others[name])) throw wrong(path, `\`${name}\` must be an object`);
  if (others['path'] !== undefined && typeof others['path'] !== 'string') throw wrong(path, '`path` must be a string');
  return { call, method: typeof method === 'string' ? method : undefined, isForm: form === true, parts: others };
}

function refuseOthers(value: JsonObject, known: readonly string[], what: string, path: string): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    throw wrong(
      path,
      `${what} has the unknown field ${JSON.stringify(other.slice(0, 80))}; known: ${known.join(', ')}`,
    );
}

const messageIn = (fail: Json): string =>
  (typeof fail === 'string' && fail !== '' ? fail : 'The app refuses the item.').slice(0, MAX_MESSAGE);

const wrong = (path: string, reason: string): NodeFailure =>
  new NodeFailure(`The code of the app is wrong: ${path}: ${reason}.`, {
    description: 'This is an error in the app, not in the workflow.',
  });
