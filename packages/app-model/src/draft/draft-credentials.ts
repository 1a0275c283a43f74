import { CREDENTIAL_TYPES, type CredentialType } from '@weft/node-catalogue';
import { isJsonObject, type Json, type JsonObject, objectField, textField } from '@weft/service-kit/json-values';
import { coversHost } from '../checks/check-names';
import type { ApiOperation } from './find-operations';
import { oneLine } from './names';
import type { OpenApi } from './read-openapi';
import type { References } from './references';

const MAX_TYPES = 5;

/** How requests of an operation sign in. */
export interface OperationSecurity {
  /** Credential types, each of which is enough; empty: requests need none. */
  readonly types: readonly string[];
  /** What to enter in a credential, or what cannot be drafted. */
  readonly notes: readonly string[];
}

/** The credential types of a draft. */
export interface DraftCredentials {
  /** With several types, a parameter `authentication` chooses one. */
  readonly types: readonly string[];
  readonly notes: readonly string[];
}

/** A scheme as a type of Weft's catalogue. */
interface Mapped {
  readonly type: string | undefined;
  readonly note: string;
  /** Of a value in a header or in the query: the field of `httpCustomAuth` for it, and its name. */
  readonly value?: readonly [field: 'headers' | 'qs', name: string];
}

/** Reads the security of an operation, which is its own or that of the document. */
export function securityOf(openApi: OpenApi, references: References, { content }: ApiOperation): OperationSecurity {
  const schemes = openApi.isSwagger
    ? objectField(openApi.root, 'securityDefinitions')
    : objectField(objectField(openApi.root, 'components'), 'securitySchemes');
  const given = content['security'] ?? openApi.root['security'];
  const alternatives = (Array.isArray(given) ? given : []).filter(isJsonObject).map((one) => Object.keys(one));
  const mapped = alternatives
    .filter((names) => names.length > 0)
    .map((names) => together(names.map((name) => mapScheme(name, references.resolve(schemes?.[name])))));
  const notes = mapped.map(({ note }) => note);
  return { types: [...new Set(mapped.flatMap(({ type }) => type ?? []))], notes: [...new Set(notes)] };
}

/** Schemes that a request needs together: values of headers and of the query fit into one credential. */
function together(schemes: readonly Mapped[]): Mapped {
  const [only, ...others] = schemes;
  if (only === undefined || others.length === 0) return only ?? { type: undefined, note: '' };
  const values = schemes.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (values.length === schemes.length) {
    const named = (wanted: string): [string, JsonObject][] => {
      const fields = values.filter(([field]) => field === wanted).map(([, name]) => [name, '…'] as const);
      return fields.length === 0 ? [] : [[wanted, Object.fromEntries(fields)]];
    };
    const json = JSON.stringify(Object.fromEntries([...named('headers'), ...named('qs')]));
    return { type: 'httpCustomAuth', note: `A request needs all of these values at once; set its JSON to ${json}.` };
  }
  const note = `A request needs all of these at once: ${schemes.map((one) => one.note).join(' ')}`;
  return { type: schemes.find(({ type }) => type !== undefined)?.type, note };
}

function mapScheme(name: string, scheme: JsonObject | undefined): Mapped {
  const shown = `"${oneLine(name)}"`;
  const kind = textField(scheme, 'type')?.toLowerCase();
  const httpScheme = textField(scheme, 'scheme')?.toLowerCase();
  if (kind === 'basic' || (kind === 'http' && httpScheme === 'basic'))
    return { type: 'httpBasicAuth', note: `${shown}: user and password.` };
  if (kind === 'http' && httpScheme === 'digest')
    return { type: 'httpDigestAuth', note: `${shown}: user and password.` };
  if (kind === 'http' && httpScheme === 'bearer') return { type: 'httpBearerAuth', note: `${shown}: a token.` };
  if (kind === 'apikey') return apiKey(shown, scheme);
  if (kind === 'oauth2') return oauth2(shown, scheme);
  if (kind === 'openidconnect')
    return {
      type: 'oAuth2Api',
      note: `${shown}: OAuth 2; its addresses are at ${shownText(scheme, 'openIdConnectUrl')}.`,
    };
  return {
    type: undefined,
    note: `${shown} is ${kind === undefined ? 'not defined' : `of a kind that Weft does not have (${kind})`}.`,
  };
}

const shownText = (scheme: JsonObject | undefined, key: string): string => oneLine(textField(scheme, key) ?? '?');

function apiKey(shown: string, scheme: JsonObject | undefined): Mapped {
  const name = shownText(scheme, 'name');
  const place = textField(scheme, 'in');
  if (place === 'query' || place === 'header')
    return {
      type: place === 'query' ? 'httpQueryAuth' : 'httpHeaderAuth',
      note: `${shown}: set the name of the credential to ${name}.`,
      value: [place === 'query' ? 'qs' : 'headers', name],
    };
  return {
    type: 'httpHeaderAuth',
    note: `${shown} is a cookie: set the name of the credential to Cookie, and its value to ${name}=VALUE.`,
  };
}

function oauth2(shown: string, scheme: JsonObject | undefined): Mapped {
  const flows = objectField(scheme, 'flows');
  const code =
    objectField(flows, 'authorizationCode') ?? (textField(scheme, 'flow') === 'accessCode' ? scheme : undefined);
  const client =
    objectField(flows, 'clientCredentials') ?? (textField(scheme, 'flow') === 'application' ? scheme : undefined);
  const chosen = code ?? client;
  if (chosen === undefined)
    return {
      type: 'httpBearerAuth',
      note: `${shown}: OAuth 2 with a flow that Weft does not have; enter a token.`,
    };
  const addresses = [
    ...(code === undefined ? [] : [`authorization at ${shownText(chosen, 'authorizationUrl')}`]),
    `tokens at ${shownText(chosen, 'tokenUrl')}`,
  ];
  return { type: 'oAuth2Api', note: `${shown}: OAuth 2, ${addresses.join(', ')}.` };
}

/**
 * Chooses credential types for all operations: one that all accept, otherwise all types. A type that Weft has for the
 * hosts is better than a general one.
 */
export function chooseCredentials(
  operations: readonly OperationSecurity[],
  hosts: readonly string[],
): DraftCredentials {
  const secured = operations.filter(({ types }) => types.length > 0);
  const notes = notesOf(operations);
  const [first] = secured;
  const own = ownTypes(hosts);
  if (first === undefined) {
    const [type] = own;
    return {
      types: type === undefined ? [] : [type.name],
      notes: [...notes, ...(notes.length > 0 ? [] : ['The document says nothing about signing in.'])],
    };
  }
  const common = first.types.filter((type) => secured.every(({ types }) => types.includes(type)));
  const [chosen] = common;
  const types = chosen === undefined ? [...new Set(secured.flatMap((one) => one.types))].slice(0, MAX_TYPES) : [chosen];
  const better = types.map((type) => own.find((one) => fits(one, type))?.name ?? type);
  // The fields of a type of the service say what to enter.
  const isOwn = better.every((type, index) => type !== types[index]);
  const others = operations.filter((one) => !secured.includes(one));
  return { types: [...new Set(better)], notes: isOwn ? notesOf(others) : notes };
}

const notesOf = (operations: readonly OperationSecurity[]): readonly string[] =>
  [...new Set(operations.flatMap((one) => one.notes))].filter((note) => note !== '');

/** Types of the catalogue whose credentials are only sent to the hosts of a draft. */
function ownTypes(hosts: readonly string[]): readonly CredentialType[] {
  return [...CREDENTIAL_TYPES.values()].filter(
    (one) =>
      one.hosts.length > 0 && one.applied !== 'serviceAccount' && hosts.every((host) => coversHost(one.hosts, host)),
  );
}

const FAMILIES: Readonly<Record<string, readonly CredentialType['applied'][]>> = {
  httpBearerAuth: ['header'],
  httpHeaderAuth: ['header'],
  httpQueryAuth: ['query'],
  httpCustomAuth: ['header', 'query'],
  httpBasicAuth: ['basic'],
  oAuth2Api: ['oauth2'],
};

const fits = ({ applied }: CredentialType, type: string): boolean => FAMILIES[type]?.includes(applied) === true;

/** The field `credentials` of the app and of its kind, and the parameter that chooses a type. */
export function credentialParts({ types }: DraftCredentials): {
  readonly app: JsonObject;
  readonly kind: Json[];
  readonly parameters: Json[];
} {
  const app = Object.fromEntries(types.map((type) => [type, 'catalogue']));
  const [first = '', ...others] = types;
  if (others.length === 0) return { app, kind: types.map((type) => ({ type })), parameters: [] };
  const label = (type: string): string => CREDENTIAL_TYPES.get(type)?.label ?? type;
  const authentication = {
    name: 'authentication',
    label: 'Authentication',
    type: 'options',
    default: first,
    help: 'How the node signs in.',
    options: types.map((type) => ({ value: type, label: label(type) })),
  };
  return {
    app,
    kind: types.map((type) => ({ type, shownWhen: { authentication: [type] } })),
    parameters: [authentication],
  };
}

/** Sentences about the fields of the credentials of a draft. */
export const credentialNote = ({ types, notes }: DraftCredentials): string =>
  [
    types.length === 0 ? 'No credential is sent.' : `Create a credential of the type ${types.join(' or ')}.`,
    ...notes,
  ].join(' ');
