import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, textField } from '@weft/node-catalogue';
import { SECRET_FIELDS, WHOLLY_SECRET } from './secret-fields';

/** Shorter strings occur by chance; masking them would spoil data and hide little. */
const MIN_LENGTH = 8;
/** Minimum length in fields that are declared as secret. */
export const MIN_DECLARED_LENGTH = 4;
/**
 * A word is no secret that could be kept, but data is full of words: with a key `secret`, each field named
 * `clientSecret` would be spoilt. At most 7 characters.
 */
const WORD = /^\p{Lu}?\p{Ll}{0,6}$/u;
const MAX_SECRETS = 32;
const MAX_DEPTH = 8;

/** Names of secret fields, and names that match them but are public. */
const SECRET_NAME =
  /pass|secret|token|key|auth|credential|cookie|signature|session|bearer|private|servicerole|^value$|^cert$/i;
const PUBLIC_NAME = new RegExp(
  '(url|uri|type|algorithm|name|mode|method|host|domain|region|scope|expires_in)s?$|' +
    '^(user|email|authentication|publickey|ca)$',
  'i',
);
/** Headers that do not identify the sender. */
const PUBLIC_HEADER = new RegExp(
  '^(accept|accept-.*|content-.*|user-agent|cache-control|host|origin|referer|prefer|connection|' +
    'x-requested-with)$',
  'i',
);
/** Services name the cookies that they were sent without their names. */
const COOKIE_NAME = /^cookie$/i;
/** Addresses that grant access without further proof. */
const SECRET_ADDRESS_NAME = /webhook/i;
/** A value that looks random is a secret under any other name. */
const RANDOM = /^[\w+/=.~:-]{16,}$/;
const ADDRESS_OR_TYPE = /^[a-z][a-z0-9+.-]*:\/\/|^[a-z]+\/[\w.+-]+$/i;

/**
 * The strings in a credential's data that must not appear in the output of nodes, at most 32. These are fields that its
 * type declares as secret (at least 4 characters, words from 8) and, from 8 characters on, everything that a custom
 * authentication adds to requests and anything that looks like a secret in other objects and in types that declare
 * nothing.
 */
export function secretsIn(type: string, data: JsonObject): string[] {
  const found = new Set<string>();
  const declared = SECRET_FIELDS.get(type);
  if (declared === undefined) addSecrets(data, found, 0, isSecret);
  else {
    for (const name of declared.secret) {
      const value = textField(data, name) ?? '';
      if (!WORD.test(value)) add(found, value, MIN_DECLARED_LENGTH);
      for (const part of partsOfAddress(value)) add(found, part);
    }
    for (const name of declared.login) {
      const login = textField(data, name) ?? '';
      if (!login.includes('@')) add(found, login);
    }
    for (const [name, value] of Object.entries(data)) {
      const inner = declared.secret.includes(name) ? undefined : objectIn(value);
      const isWhole = WHOLLY_SECRET.get(type)?.includes(name) === true;
      if (inner !== undefined) addSecrets(inner, found, 1, isWhole ? isNoStandard : isSecret);
    }
  }
  const [user, password] = [
    textField(data, 'user') ?? textField(data, 'username') ?? textField(data, 'email'),
    textField(data, 'password') ?? textField(data, 'apiToken'),
  ];
  if (user !== undefined && password !== undefined) add(found, Buffer.from(`${user}:${password}`).toString('base64'));
  return [...found].slice(0, MAX_SECRETS);
}

type Judge = (name: string, value: string) => boolean;

function addSecrets(data: JsonObject, found: Set<string>, depth: number, judge: Judge): void {
  // A pair of a name and a value says with the name what the value is.
  const isPublicPair = PUBLIC_HEADER.test(textField(data, 'name') ?? '');
  for (const [name, value] of Object.entries(data)) {
    if (found.size >= MAX_SECRETS || depth > MAX_DEPTH) return;
    const inner = objectIn(value);
    if (inner !== undefined) addSecrets(inner, found, depth + 1, judge);
    else if (typeof value === 'string' && judge(name, value) && !(isPublicPair && name === 'value')) {
      add(found, value);
      if (COOKIE_NAME.test(name)) for (const part of cookieValues(value)) add(found, part);
    }
  }
}

/** Parts of a secret address that a server sees: path with query, path, and the last part of the path. */
function partsOfAddress(value: string): string[] {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return [];
  const { pathname, search } = new URL(value);
  return [`${pathname}${search}`.slice(1), pathname.slice(1), pathname.slice(pathname.lastIndexOf('/') + 1)];
}

/** The values of a list of cookies, each behind its name. */
function cookieValues(list: string): string[] {
  return list.split(';').flatMap((cookie) => {
    const start = cookie.search(/[^=\s]=/);
    return start < 0 || start + 2 === cookie.length ? [] : [cookie.slice(start + 2)];
  });
}

/** All but headers that say nothing about who sends them, addresses and media types. */
function isNoStandard(name: string, value: string): boolean {
  return !PUBLIC_HEADER.test(name) && !ADDRESS_OR_TYPE.test(value);
}

function isSecret(name: string, value: string): boolean {
  if (SECRET_ADDRESS_NAME.test(name)) return true;
  if (PUBLIC_NAME.test(name) || PUBLIC_HEADER.test(name) || ADDRESS_OR_TYPE.test(value)) return false;
  return SECRET_NAME.test(name) || (RANDOM.test(value) && /\d/.test(value) && /[a-z]/i.test(value));
}

function add(found: Set<string>, text: string, minLength = MIN_LENGTH): void {
  if (text.length >= minLength) found.add(text);
  // Behind the word for its scheme, a header holds the secret itself.
  const last = /^[A-Za-z]+ (\S+)$/.exec(text)?.[1] ?? '';
  if (last.length >= minLength) found.add(last);
}

/** An object, or one that is written as JSON text or stands in a list. */
function objectIn(value: Json): JsonObject | undefined {
  if (Array.isArray(value)) return Object.fromEntries(value.entries());
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    // Text that only begins like JSON.
    return undefined;
  }
}
