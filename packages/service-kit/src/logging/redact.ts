import { stdSerializers } from 'pino';

const SECRET_ENDINGS =
  'passw(?:or)?d|passphrase|authorization|cookie|token|secret|(?:api|private|master|service)[-_]?key';
/**
 * Names of fields whose values are never logged, in any spelling: `access_token` and `x-svc-api-key` match like
 * `accessToken` and `apiKey`.
 */
const SECRET_NAME = new RegExp(`^(?:data|value|headers)$|(?:${SECRET_ENDINGS})$`, 'i');

const CENSOR = '[redacted]';
/** Limits on the logged size of an object. */
const MAX_DEPTH = 8;
const MAX_ENTRIES = 100;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const shownOf = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) {
    const rest = value.length - MAX_ENTRIES;
    const shown = value.slice(0, MAX_ENTRIES).map((entry) => shownOf(entry, depth + 1));
    return rest > 0 ? [...shown, `[${rest} more]`] : shown;
  }
  return redacted(value instanceof Error ? stdSerializers.err(value) : value, depth + 1);
};

const redacted = (object: object, depth: number): Record<string, unknown> => {
  const entries = Object.entries(object);
  const rest = entries.length - MAX_ENTRIES;
  return Object.fromEntries([
    ...entries
      .slice(0, MAX_ENTRIES)
      .map(([name, value]): [string, unknown] => [name, SECRET_NAME.test(name) ? CENSOR : shownOf(value, depth)]),
    ...(rest > 0 ? [['[more]', rest] as const] : []),
  ]);
};

/** Redacts secret fields of a log line at any depth, also in errors and their causes. */
export const redactFields = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.entries(fields).every(([name, value]) => isPlain(value) && !SECRET_NAME.test(name))
    ? fields
    : redacted(fields, 0);
