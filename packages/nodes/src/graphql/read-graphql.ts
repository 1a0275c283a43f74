import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { fieldsOf, jsonOf, textOf } from '../http-request/read-fields';
import { checkedUrl } from '../http-request/read-settings';
import type { BodySettings, CredentialType, Fields, Read, RequestSettings } from '../http-request/settings';

const TIMEOUT_MS = 300_000;
const MAX_REDIRECTS = 5;

const CREDENTIALS: Readonly<Record<string, string>> = {
  basicAuth: 'httpBasicAuth',
  customAuth: 'httpCustomAuth',
  digestAuth: 'httpDigestAuth',
  headerAuth: 'httpHeaderAuth',
  queryAuth: 'httpQueryAuth',
  oAuth1: 'oAuth1Api',
  oAuth2: 'oAuth2Api',
};

/** The credential type that the node uses. @throws NodeFailure for an unknown authentication. */
export function readGraphqlCredential(read: Read): CredentialType {
  const stated = textOf(read('authentication') ?? 'none');
  if (stated === 'none') return undefined;
  const type = Object.hasOwn(CREDENTIALS, stated) ? CREDENTIALS[stated] : undefined;
  if (type === undefined) throw new NodeFailure(`The authentication "${stated}" is not known.`);
  return type;
}

/**
 * The request that the parameters state, for one item: the query as JSON, as a document, or in the URL.
 * @throws NodeFailure if a value does not make a valid request.
 */
export function readGraphqlRequest(read: Read, version: number): RequestSettings {
  const isGet = read('requestMethod') === 'GET';
  const query = textOf(read('query') ?? '');
  const format = textOf(read('requestFormat') ?? (version < 1.1 ? 'graphql' : 'json'));
  const operation = isGet || format === 'json' ? operationOf(read, query) : { query };
  const body: BodySettings =
    format === 'json'
      ? { kind: 'json', value: operation }
      : { kind: 'text', text: query, contentType: 'application/graphql' };
  return {
    method: isGet ? 'GET' : 'POST',
    url: checkedUrl(read('endpoint')),
    query: isGet ? inUrl(operation) : [],
    listStyle: 'repeat',
    headers: fieldsOf(read('headerParametersUi.parameter')).map(
      ([name, value]) => [name.toLowerCase(), textOf(value)] as const,
    ),
    ...(isGet ? {} : { body }),
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
  const stated = read('variables');
  const variables = stated === undefined || stated === '' || stated === null ? {} : jsonOf(stated, 'Variables');
  if (!isJsonObject(variables)) throw new NodeFailure('The value in the "Variables" field is not a JSON object');
  return { query, variables, operationName: textOf(read('operationName') ?? '') || null };
}

/** In a URL variables are JSON text, and empty values are left out. */
function inUrl(operation: Operation): Fields {
  return Object.entries(operation).flatMap(([name, value]) => {
    if (!isJsonObject(value)) return [[name, value] as const];
    return Object.keys(value).length === 0 ? [] : [[name, JSON.stringify(value)] as const];
  });
}
