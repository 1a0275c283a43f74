import { oauth2ClientOf } from '@weft/node-catalogue';
import { isJsonObject, type JsonObject } from '@weft/service-kit/json';
import { readData } from '../credentials/check-credential';
import type { OpenCredential } from '../credentials/open-credential';
import { TOKEN_FIELD } from './login-state';
import type { TokenUse, WithFreshTokens } from './refresh-tokens';

/** Fields of tokens that a run needs. */
const NEEDED = ['access_token', 'token_type', 'issued_at', 'expires_at'];

const withoutRefreshToken = (given: JsonObject[string] | undefined): JsonObject => {
  const tokens: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return isJsonObject(tokens)
    ? Object.fromEntries(Object.entries(tokens).filter(([name]) => NEEDED.includes(name)))
    : {};
};

/**
 * The data that a run gets, as JSON text. Of a credential that a user signs in with, it is the access token: runs never
 * refresh it, so they need neither the refresh token nor the secret of the client.
 */
const dataForRuns = (type: string, dataJson: string): string => {
  if (oauth2ClientOf(type, {}) === undefined) return dataJson;
  const data = readData(dataJson);
  if (oauth2ClientOf(type, data)?.grant !== 'login') return dataJson;
  const { clientSecret: _unused, ...rest } = data;
  return JSON.stringify({ ...rest, [TOKEN_FIELD]: withoutRefreshToken(data[TOKEN_FIELD]) });
};

/**
 * Opens a credential for a run, or for a request outside of runs, as JSON text. Its tokens of OAuth 2 can be used now.
 * @throws as `WithFreshTokens` and `OpenCredential` do
 */
export type OpenForRuns = (use: TokenUse) => Promise<string>;

export const createOpenForRuns = (withFreshTokens: WithFreshTokens, openCredential: OpenCredential): OpenForRuns =>
  async function openForRuns(use) {
    return dataForRuns(use.credential.type, await openCredential(await withFreshTokens(use)));
  };
