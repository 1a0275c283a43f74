import { oauth2ClientOf, oauth2TokensOf } from '@weft/node-catalogue';
import type { JsonObject } from '@weft/service-kit/json';
import { NOT_SIGNED_IN, SIGNED_IN, type OAuth2State } from './oauth2-state';

/** Field of credential data with the tokens. */
export const TOKEN_FIELD = 'oauthTokenData';

/** The state of a credential with new data; undefined if it is not signed in with through a browser. */
export const loginStateOf = (type: string, data: JsonObject): OAuth2State | undefined => {
  if (oauth2ClientOf(type, data)?.grant !== 'login') return undefined;
  return oauth2TokensOf(data) === undefined ? NOT_SIGNED_IN : SIGNED_IN;
};

/** An update of a credential's data. */
interface DataUpdate {
  readonly type: string;
  /** The data after the update. */
  readonly data: JsonObject;
  /** True if the update has left the tokens as they were. */
  readonly keepsTokens: boolean;
}

/** The state after an update: tokens that were kept are as good as they were before. */
export const loginStateAfter = (
  old: OAuth2State | undefined,
  { type, data, keepsTokens }: DataUpdate,
): OAuth2State | undefined => {
  const state = loginStateOf(type, data);
  return state !== undefined && keepsTokens && old !== undefined && oauth2TokensOf(data) !== undefined ? old : state;
};
