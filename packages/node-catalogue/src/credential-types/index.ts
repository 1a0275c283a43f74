import { isJsonObject, parseJson, textField, type Json, type JsonObject } from '@weft/service-kit/json';
import { editDistance } from '../checks/edit-distance';
import type { CredentialField, CredentialType } from './credential-type';
import { GENERAL_TYPES } from './general-types';
import { readOAuth2Client, type OAuth2Client } from './oauth2-service';
import { SERVICE_TYPES } from './service-types';

export type {
  AppliedAs,
  CredentialField,
  CredentialTest,
  CredentialType,
  RequestRule,
  SessionRule,
} from './credential-type';
export {
  isExpiring,
  oauth2TokensOf,
  type OAuth2Client,
  type OAuth2Service,
  type OAuth2Tokens,
  usableUntil,
} from './oauth2-service';
export { SERVICE_TYPES } from './service-types';

/** Every credential type, by name. */
export const CREDENTIAL_TYPES: ReadonlyMap<string, CredentialType> = new Map(
  [...GENERAL_TYPES, ...SERVICE_TYPES]
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) => [type.name, type]),
);

/** The OAuth 2 client of a credential; undefined for types that are not of OAuth 2. */
export const oauth2ClientOf = (type: string, data: JsonObject): OAuth2Client | undefined => {
  const { applied, request } = CREDENTIAL_TYPES.get(type) ?? {};
  return applied === 'oauth2' ? readOAuth2Client(request?.oauth2, data) : undefined;
};

/** A string in the data of a credential, or the default of its field; empty without both. */
export const credentialText = (type: string, name: string, data: JsonObject): string => {
  const fallback = CREDENTIAL_TYPES.get(type)?.fields.find((field) => field.name === name)?.default;
  return (textField(data, name) ?? '').trim() || String(fallback ?? '');
};

/** Names of types that a wrong one may mean, the nearest first, at most three. */
export const nearestCredentialTypes = (name: string): readonly string[] => {
  const wanted = name.toLowerCase();
  return [...CREDENTIAL_TYPES.keys()]
    .map((known) => ({ known, distance: editDistance(wanted, known.toLowerCase()) }))
    .filter(({ known, distance }) => distance <= Math.max(2, known.length / 3))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ known }) => known);
};

/** An error of a field of a credential's data. */
export interface CredentialFieldError {
  /** Name of the field within the data. */
  readonly field: string;
  readonly message: string;
}

const isObjectOrText = (value: Json): boolean => {
  if (typeof value !== 'string') return isJsonObject(value);
  try {
    return isJsonObject(parseJson(Buffer.from(value)));
  } catch {
    return false;
  }
};

const PORTS = { min: 1, max: 65_535 };

/** Description of the values that a field accepts; undefined if it accepts this one. */
const wantedForm = ({ name, type, required, options = [] }: CredentialField, value: Json): string | undefined => {
  switch (type) {
    case 'string':
      if (typeof value === 'string' && (value !== '' || !required)) return undefined;
      return required ? 'a non-empty string' : 'a string';
    case 'number':
      if (name !== 'port') return typeof value === 'number' ? undefined : 'a number';
      return typeof value === 'number' && Number.isInteger(value) && value >= PORTS.min && value <= PORTS.max
        ? undefined
        : 'a port number from 1 to 65535';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'options':
      return typeof value === 'string' && options.includes(value) ? undefined : `one of ${options.join(', ')}`;
    case 'json':
      return isObjectOrText(value) ? undefined : 'a JSON object';
  }
};

/** A value of a wrong type; a missing required field counts as one. */
const MISSING: Json = null;

/**
 * Errors in the fields that a type declares; other fields are stored as they are. Never quotes a value. An optional
 * field may be absent or null, and a choice may be empty.
 */
export const credentialFieldErrors = (type: CredentialType, data: JsonObject): readonly CredentialFieldError[] =>
  type.fields.flatMap((field) => {
    const value = data[field.name] ?? MISSING;
    if (!field.required && (value === null || value === '')) return [];
    const form = wantedForm(field, value);
    return form === undefined
      ? []
      : [{ field: field.name, message: `must be ${form} in a credential of type ${type.name}.` }];
  });

/**
 * The data after an update: secret fields that the update omits keep their values. Omitted fields of another type, and
 * those that are not secret, are removed.
 */
export const withKeptSecrets = (
  type: CredentialType | undefined,
  update: JsonObject,
  stored: JsonObject,
): JsonObject => {
  const kept = (type?.fields ?? []).filter(
    ({ name, secret }) => secret && !Object.hasOwn(update, name) && Object.hasOwn(stored, name),
  );
  return { ...update, ...Object.fromEntries(kept.map(({ name }) => [name, stored[name] ?? null])) };
};
