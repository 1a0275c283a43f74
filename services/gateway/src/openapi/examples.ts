import type { Json } from '@weft/service-kit/json';
import { examplePathParameter } from './path-parameters';
import type { DocumentedRoute } from './route-doc';
import type { Schema } from './schema';

const ID = '01979d2e-7c40-7b52-9d0e-6a1f3c8b2d41';
const TIME = '2026-03-01T12:00:00.000Z';

/** Values of strings by the name of their field. */
const STRINGS: Readonly<Record<string, string>> = {
  name: 'Orders',
  email: 'ada@example.com',
  password: 'correct horse battery',
  key: 'region',
  value: 'eu-west',
  label: 'Header name',
  description: 'Sets fields of items.',
  message: 'The workflow is active now.',
  node: 'Set',
  startNode: 'Start',
  path: 'orders',
  method: 'POST',
  commit: '57c5d7cb',
  release: '0.2.0',
  etag: '"a41f0c9d2b"',
  hash: '1:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  reason: 'NODE_ERROR',
  action: 'workflow.create',
  token: 'one-time-token',
  column: 'city',
  localTime: '2026-03-01 13:00:00 Europe/Berlin',
  timezone: 'Europe/Berlin',
  field: 'nodes[0].parameters.path',
  kind: 'set',
  url: 'https://api.example.com/me',
  clientAddress: '203.0.113.7',
  orderBy: 'id',
  type: 'string',
};

/** Values of numbers by the name of their field. */
const NUMBERS: Readonly<Record<string, number>> = {
  total: 3,
  count: 3,
  limit: 20,
  concurrency: 5,
  run: 0,
  sequence: 2,
};

/** Fields that are null in examples where they may be. */
const NULLS: ReadonlySet<string> = new Set(['nextCursor', 'lockedAt', 'scopes', 'expiresAt', 'takenBy', 'trouble']);

const stringOf = ({ format, minLength = 0 }: Schema, name: string): string => {
  if (format === 'date-time') return TIME;
  if (format === 'binary') return '';
  if (format === 'email') return 'ada@example.com';
  if (/(?:^id|Id|Ids|By)$/.test(name)) return ID;
  const known = Object.hasOwn(STRINGS, name) ? STRINGS[name] : undefined;
  const found = known ?? 'text';
  return found.length >= minLength ? found : 'a longer text';
};

const numberOf = ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Schema, name: string): number =>
  Math.min(maximum, Math.max(minimum, Object.hasOwn(NUMBERS, name) ? (NUMBERS[name] ?? 0) : 1));

const typeOf = ({ type, properties, additionalProperties }: Schema): string | undefined => {
  if (typeof type === 'string') return type;
  if (type !== undefined) return type.find((one) => one !== 'null');
  return properties !== undefined || typeof additionalProperties === 'object' ? 'object' : undefined;
};

const mayBeNull = ({ type, oneOf }: Schema): boolean =>
  (Array.isArray(type) && type.includes('null')) || (oneOf ?? []).some((choice) => choice.type === 'null');

const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema, name: string): Json => {
  const shown = Object.entries(properties).filter(
    // Fields without a type are those that a request may repeat from a response.
    ([field, schema]) => required.includes(field) || typeOf(schema) !== undefined || schema.oneOf !== undefined,
  );
  if (shown.length > 0) return Object.fromEntries(shown.map(([field, schema]) => [field, exampleOf(schema, field)]));
  return typeof additionalProperties === 'object' ? { example: exampleOf(additionalProperties, name) } : {};
};

/** A value of a schema: its own example, or one made from its types and the names of its fields. */
export const exampleOf = (schema: Schema, name = ''): Json => {
  const { example, enum: words, default: missing, items, minItems = 0, oneOf, anyOf } = schema;
  if (example !== undefined) return example;
  if (NULLS.has(name) && mayBeNull(schema)) return null;
  const first = words?.find((word) => word !== null);
  if (first !== undefined) return first;
  if (missing !== undefined) return missing;
  const [choice] = oneOf ?? anyOf ?? [];
  if (choice !== undefined) return exampleOf(choice, name);
  switch (typeOf(schema)) {
    case 'string':
      return stringOf(schema, name);
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return false;
    case 'array':
      return items === undefined ? [] : Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, name));
    case 'object':
      return objectOf(schema, name);
    case undefined:
    default:
      return null;
  }
};

/** The example of the body of a request; undefined if it has none. */
export const requestExample = ({ request, doc }: Pick<DocumentedRoute, 'request' | 'doc'>): Json | undefined =>
  request === undefined ? undefined : (doc.example ?? exampleOf(request.schema));

const examplePath = (path: string): string =>
  path.replace(/:(\w+)/g, (_, name: string) => examplePathParameter(path, name) ?? ID);

const quoted = (text: string): string => text.replaceAll("'", String.raw`'\''`);

/** A request as a curl command. @param root path of the API */
export const curlText = (route: DocumentedRoute, root: string): string => {
  const body = requestExample(route);
  return [
    `curl ${route.method === 'GET' ? '' : `-X ${route.method} `}"$WEFT_URL${root}${examplePath(route.path)}"`,
    `-H "X-SVC-API-KEY: $WEFT_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${quoted(JSON.stringify(body, undefined, 2))}'`]),
  ].join(' \\\n  ');
};
