import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, oauth2ClientOf, objectField, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { digestExchange } from './digest';
import type { Exchange, ExchangeRun } from './exchange';
import { oauth1Exchange, oauth1Keys } from './oauth1';
import { clientCredentialsExchange } from './oauth2';
import { clientCredentialsOf } from './oauth2-grant';
import { loginExchange } from './oauth2-login';
import { CREDENTIAL_RULES, type CredentialRule } from './credential-rules';
import { serviceAccountExchange, serviceAccountOf } from './service-account';
import { sessionExchange } from './session';
import { percentEncoded } from '../request/query-string';
import { jsonOf, textOf } from '../request/read-fields';
import type { Fields } from '../settings';

/** Additions of a credential to a request. */
export interface CredentialParts {
  readonly headers: readonly (readonly [string, string])[];
  readonly query: Fields;
  /** Fields for a body that is an object or a form. */
  readonly body: JsonObject;
  readonly pathPrefix: string;
  readonly fallbackHeaders: readonly (readonly [string, string])[];
  /** Host patterns the credential is limited to; undefined if unlimited. */
  readonly allowedHosts: readonly string[] | undefined;
  /** Strings that must not appear in errors. Exchanges add the secrets that they obtain. */
  readonly secrets: () => readonly string[];
  /** Sends the request, for authentication that needs more than additions to one request. */
  readonly exchange?: Exchange;
}

type Parts = Omit<CredentialParts, 'allowedHosts' | 'secrets'>;

const NOTHING: Parts = { headers: [], query: [], body: {}, pathPrefix: '', fallbackHeaders: [] };

/** Fields of credentials that are settings rather than secrets. */
const PUBLIC_FIELDS = new Set([
  'name',
  'user',
  'username',
  'url',
  'server',
  'host',
  'baseUrl',
  'allowedDomains',
  'allowedHttpRequestDomains',
  'organizationId',
  'headerName',
  'authUrl',
  'accessTokenUrl',
  'requestTokenUrl',
  'grantType',
  'authentication',
  'scope',
  'authQueryParameters',
  'signatureMethod',
  'token_type',
  'environment',
  'region',
  'email',
  'delegatedEmail',
  'scopes',
  'domain',
  'wordpressSite',
  'endpointType',
  'endpoint',
  'foundryEndpoint',
  'resourceName',
  'apiVersion',
  'qdrantUrl',
  'connection_type',
  'weaviate_cloud_endpoint',
  'custom_connection_http_host',
]);

/** No additions: a request without a credential. */
export const NO_CREDENTIAL: CredentialParts = { ...NOTHING, allowedHosts: undefined, secrets: () => [] };

/**
 * Computes the additions of a credential to requests from its stored data.
 * @throws NodeFailure for a type without a rule, for missing fields, and for a credential that its owner has excluded
 * from requests
 */
export function applyCredential(type: string, data: JsonObject, run: ExchangeRun): CredentialParts {
  const gained = new Set<string>();
  const hide = (secret: string): void => {
    gained.add(secret);
    run.hide(secret);
  };
  const parts = partsOf(type, data, { ...run, hide });
  const known = secretsOf(data, parts);
  return {
    ...NOTHING,
    ...parts,
    allowedHosts: allowedHostsOf(data),
    secrets: () => [...known, ...gained],
  };
}

function partsOf(type: string, data: JsonObject, run: ExchangeRun): Partial<Parts> {
  switch (type) {
    case 'httpBasicAuth':
      return { headers: [basicHeader(required(type, data, 'user'), textField(data, 'password') ?? '')] };
    case 'httpHeaderAuth':
      return { headers: [[required(type, data, 'name'), textField(data, 'value') ?? '']] };
    case 'httpQueryAuth':
      return { query: [[required(type, data, 'name'), textField(data, 'value') ?? '']] };
    case 'httpCustomAuth':
      return customParts(data);
    case 'httpDigestAuth':
      return { exchange: digestExchange(required(type, data, 'user'), textField(data, 'password') ?? '') };
    case 'oAuth1Api':
      return { exchange: oauth1Exchange(oauth1Keys(data), run) };
    case 'httpMultipleHeadersAuth':
      return multipleHeaders(data);
    case 'oAuth2Api':
    case 'mcpOAuth2Api':
      return oauth2Parts(type, data, run);
    default:
      return ruledParts(type, data, run);
  }
}

function oauth2Parts(type: string, data: JsonObject, run: ExchangeRun): Partial<Parts> {
  const client = oauth2ClientOf(type, data);
  return client?.grant === 'clientCredentials'
    ? { exchange: clientCredentialsExchange(clientCredentialsOf(type, client, data), run) }
    : { exchange: loginExchange(type, data, run) };
}

function customParts(data: JsonObject): Partial<Parts> {
  const given = jsonOf(data['json'], 'JSON of the custom credential');
  if (!isJsonObject(given))
    throw new NodeFailure('The JSON of the custom credential is not an object with `headers`, `qs` or `body`.');
  return {
    headers: Object.entries(objectField(given, 'headers') ?? {}).map(([name, value]) => [name, textOf(value)] as const),
    query: Object.entries(objectField(given, 'qs') ?? {}),
    body: objectField(given, 'body') ?? {},
  };
}

function multipleHeaders(data: JsonObject): Partial<Parts> {
  const given = jsonOf(data['headers'], 'headers of the credential');
  const values = isJsonObject(given) ? given['values'] : given;
  const entries = Array.isArray(values) ? values.filter(isJsonObject) : [];
  const headers = entries.flatMap((entry) => {
    const name = (textField(entry, 'name') ?? '').trim();
    return name === '' ? [] : [[name, textField(entry, 'value') ?? ''] as const];
  });
  if (headers.length > 0) return { headers };
  throw new NodeFailure(
    'The credential of type httpMultipleHeadersAuth has no headers: set { values: [{ name, value }] }.',
  );
}

function ruledParts(type: string, data: JsonObject, run: ExchangeRun): Partial<Parts> {
  const rule = CREDENTIAL_RULES.get(type);
  if (rule === undefined) {
    throw new NodeFailure(`Credentials of type "${type}" cannot be used in HTTP requests here.`, {
      description: 'Use a header, basic, bearer, query or custom credential instead.',
    });
  }
  for (const name of rule.required) required(type, data, name);
  const { basicIf } = rule;
  const [user, password] =
    (basicIf !== undefined && textField(data, basicIf.field) === basicIf.value ? basicIf.basic : rule.basic) ?? [];
  return {
    ...(rule.oauth2 === undefined ? {} : oauth2Parts(type, data, run)),
    ...(rule.serviceAccount === undefined
      ? {}
      : { exchange: serviceAccountExchange(serviceAccountOf(type, rule.serviceAccount, data, run.scopes), run) }),
    ...(rule.session === undefined ? {} : { exchange: sessionExchange(type, rule.session, data, run) }),
    headers: [
      ...filled(rule.headers, data),
      ...(user === undefined || password === undefined
        ? []
        : [basicHeader(required(type, data, user), required(type, data, password))]),
    ],
    query: filled(rule.query, data),
    fallbackHeaders: filled(rule.fallbackHeaders, data),
    pathPrefix: rule.pathOf === undefined ? pathPrefixOf(rule, data) : pathOf(type, rule.pathOf, data),
  };
}

/** The path of the URL in a field. */
function pathOf(type: string, field: string, data: JsonObject): string {
  const url = required(type, data, field);
  if (!URL.canParse(url)) throw new NodeFailure(`The "${field}" of the credential of type ${type} is not a URL.`);
  return new URL(url).pathname.replace(/\/$/, '');
}

function basicHeader(user: string, password: string): readonly [string, string] {
  return ['Authorization', `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`];
}

function pathPrefixOf(rule: CredentialRule, data: JsonObject): string {
  return (rule.pathPrefix ?? '').replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    percentEncoded(textField(data, name) ?? '').replaceAll('%3A', ':'),
  );
}

function filled(
  entries: Readonly<Record<string, string>> | undefined,
  data: JsonObject,
): (readonly [string, string])[] {
  return Object.entries(entries ?? {}).flatMap(([name, template]) => {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
    if (names.some((field) => (textField(data, field) ?? '') === '')) return [];
    return [[name, template.replaceAll(/\{(\w+)\}/g, (_all, field: string) => textField(data, field) ?? '')] as const];
  });
}

function required(type: string, data: JsonObject, name: string): string {
  const value = textField(data, name);
  if (value === undefined || value === '') throw new NodeFailure(`The credential of type ${type} has no "${name}".`);
  return value;
}

/** Host patterns that limit a credential; undefined if unlimited. @throws NodeFailure if requests are not allowed */
export function allowedHostsOf(data: JsonObject): string[] | undefined {
  const choice = textField(data, 'allowedHttpRequestDomains') ?? 'all';
  if (choice === 'all') return undefined;
  if (choice === 'none')
    throw new NodeFailure('This credential is configured to prevent use within an HTTP Request node');
  const hosts = (textField(data, 'allowedDomains') ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  if (hosts.length === 0)
    throw new NodeFailure('No allowed domains specified', {
      description: 'The credential is limited to certain domains, but lists none.',
    });
  return hosts;
}

function secretsOf(data: JsonObject, parts: Partial<Parts>): string[] {
  const stored = textsIn(data, PUBLIC_FIELDS);
  // The header holds the secret after the name of the scheme.
  const headers = (parts.headers ?? []).flatMap(([, value]) => [value, value.split(' ').at(-1) ?? value]);
  const sent = [
    ...headers,
    ...(parts.query ?? []).flatMap(([, value]) => textsIn(value)),
    ...textsIn(parts.body ?? null),
    // The secret of a URL is its last segment.
    ...(parts.pathPrefix ? [parts.pathPrefix, parts.pathPrefix.split('/').at(-1) ?? ''] : []),
  ];
  return [...new Set([...stored, ...sent])];
}

const NONE: ReadonlySet<string> = new Set();

function textsIn(value: Json, except = NONE): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => (except.has(name) ? [] : textsIn(entry, except)));
}
