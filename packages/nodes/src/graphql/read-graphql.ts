import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { fieldsOf, textOf } from '../shared/http/request/read-fields';
import { checkedUrl } from '../http-request/read-settings';
import { toJsonObject } from '../shared/read-parameter';
import type { BodySettings, CredentialType, Fields, Read, RequestSettings } from '../shared/http/settings';

const TIMEOUT_MS = 300_000;
const MAX_REDIRECTS = 5;
/** Number of characters of invalid variables that the message shows. */
const MAX_SHOWN = 1_000;

const CREDENTIALS: Readonly<Record<string, string>> = {
  basicAuth: 'httpBasicAuth',
  customAuth: 'httpCustomAuth',
  digestAuth: 'httpDigestAuth',
  headerAuth: 'httpHeaderAuth',
  queryAuth: 'httpQueryAuth',
  oAuth1: 'oAuth1Api',
  oAuth2: 'oAuth2Api',
};

/** The credential type that the node uses. @throws NodeFailure for an unknown authentication */
export function readGraphqlCredential(read: Read): CredentialType {
  const given = textOf(read('authentication') ?? 'none');
  if (given === 'none') return undefined;
  if (given === 'predefinedCredentialType') return namedService(textOf(read('nodeCredentialType') ?? ''));
  const type = Object.hasOwn(CREDENTIALS, given) ? CREDENTIALS[given] : undefined;
  if (type === undefined) throw new NodeFailure(`The authentication "${given}" is not supported.`);
  return type;
}

/** @throws NodeFailure if no service is selected */
function namedService(type: string): CredentialType {
  if (type !== '') return type;
  throw new NodeFailure('The node uses authentication, but `nodeCredentialType` names no credential type.');
}

/**
 * Reads the request for one item from the parameters: the query as JSON, as a document, or in the URL.
 * @throws NodeFailure if a value does not make a valid request
 */
export function readGraphqlRequest(read: Read, version: number): RequestSettings {
  const isGet = read('requestMethod') === 'GET';
  const query = textOf(read('query') ?? '');
  const format = isGet ? 'json' : textOf(read('requestFormat') ?? (version < 1.1 ? 'graphql' : 'json'));
  const operation = format === 'json' ? operationOf(read, query) : { query };
  const body: BodySettings =
    format === 'json'
      ? { kind: 'json', value: operation }
      : { kind: 'text', text: query, contentType: 'application/graphql', isTypeFixed: false };
  return {
    method: isGet ? 'GET' : 'POST',
    url: checkedUrl(read('endpoint')),
    query: isGet ? inUrl(operation) : [],
    listStyle: 'repeat',
    headers: fieldsOf(read('headerParametersUi.parameter')).map(
      ([name, value]) => [name.toLowerCase(), textOf(value)] as const,
    ),
    // A GET has a body too, as in n8n.
    body,
    timeoutMs: TIMEOUT_MS,
    followRedirects: true,
    maxRedirects: MAX_REDIRECTS,
    allowUnauthorizedCerts: read('allowUnauthorizedCerts') === true,
  };
}

interface Operation {
  [field: string]: Json;
}

function operationOf(read: Read, query: string): Operation {
  const given = read('variables');
  return { query, variables: variablesOf(given), operationName: textOf(read('operationName') ?? '') || null };
}

/** @throws NodeFailure for variables that are neither an object nor its JSON */
function variablesOf(given: unknown): JsonObject {
  if (given === undefined || given === '' || given === null) return {};
  if (typeof given === 'string') {
    try {
      const parsed: unknown = JSON.parse(given);
      if (isJsonObject(parsed)) return parsed;
    } catch (cause) {
      throw variablesFailure(given, cause);
    }
    throw variablesFailure(given);
  }
  const variables = toJsonObject(given);
  if (variables === undefined) throw variablesFailure(JSON.stringify(given) ?? String(given));
  return variables;
}

function variablesFailure(text: string, cause?: unknown): NodeFailure {
  const shown = text.slice(0, MAX_SHOWN);
  const reason =
    cause instanceof SyntaxError
      ? `With error message:\n${cause.name}: ${cause.message}`
      : 'GraphQL variables should be either an object or a string.';
  return new NodeFailure(`Using variables failed:\n${shown}\n\n${reason}`, {
    ...(cause === undefined ? {} : { cause }),
    description: 'Write the variables as a JSON object.',
  });
}

/** In a URL variables are JSON, and empty values are left out. */
function inUrl(operation: Operation): Fields {
  return Object.entries(operation).flatMap(([name, value]) => {
    if (!isJsonObject(value)) return value === null ? [] : [[name, value] as const];
    return Object.keys(value).length === 0 ? [] : [[name, JSON.stringify(value)] as const];
  });
}
