import { CREDENTIAL_TYPES, type CredentialType } from '@weft/node-catalogue';

/** Secret fields of a credential type. All others are settings; objects among them are searched. */
export interface SecretFields {
  /** Fields that are secret whatever they hold. */
  readonly secret: readonly string[];
  /** Fields for a user name, in place of which many services take a key: secret unless they hold an email. */
  readonly login: readonly string[];
}

/** Fields of objects in which every text counts as secret, whatever it is called: what they add to a request. */
export const WHOLLY_SECRET: ReadonlyMap<string, readonly string[]> = new Map([
  ['httpCustomAuth', ['json']],
  ['httpMultipleHeadersAuth', ['headers']],
]);

const namesOf = (fields: CredentialType['fields']): readonly string[] => fields.map(({ name }) => name);

/** Declarations by credential type. The fields of other types are told apart by their names and values. */
export const SECRET_FIELDS: ReadonlyMap<string, SecretFields> = new Map(
  [...CREDENTIAL_TYPES].map(([type, { fields }]) => [
    type,
    {
      // Of an object some parts are secret, and it never occurs as a whole.
      secret: namesOf(fields.filter(({ secret, type }) => secret && type !== 'json')),
      login: namesOf(fields.filter(({ isLogin }) => isLogin === true)),
    },
  ]),
);
