import { oauth2TokensOf, type OAuth2Tokens } from '@weft/node-catalogue';
import type { JsonObject } from '@weft/service-kit/json';
import { readData } from '../credentials/check-credential';
import { grantsUnder } from '../credentials/grant';
import type { StoredCredential } from '../ownership/credential';
import type { Sealer } from '../sealing';
import { TOKEN_FIELD } from './login-state';
import type { OAuth2State } from './oauth2-state';
import type { IssuedTokens } from './request-tokens';

/** The tokens of a stored credential; undefined if it has none. @throws CredentialUnreadable */
export const storedTokens = (sealer: Pick<Sealer, 'open'>, credential: StoredCredential): OAuth2Tokens | undefined =>
  oauth2TokensOf(readData(sealer.open(credential, credential.sealed)));

/** Tokens as they are stored. @param issuedAt Unix milliseconds */
const toStored = (
  { accessToken, refreshToken, expiresInSeconds, scope }: IssuedTokens,
  issuedAt: number,
): JsonObject => {
  const seconds = Math.floor(issuedAt / 1_000);
  return {
    access_token: accessToken,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    issued_at: seconds,
    ...(expiresInSeconds === undefined ? {} : { expires_at: seconds + Math.floor(expiresInSeconds) }),
    ...(scope === '' ? {} : { scope }),
  };
};

/** The same credential in another state, as a revision that no user made. */
export const inState = (credential: StoredCredential, oauth2: Omit<OAuth2State, 'refreshes'>): StoredCredential => ({
  ...credential,
  oauth2: { ...oauth2, refreshes: (credential.oauth2?.refreshes ?? 0) + 1 },
  revision: credential.revision + 1,
});

/**
 * A credential with new tokens, sealed again. Its grants are signed again, since they belong to the seal.
 * @param issuedAt Unix milliseconds of the request for them
 * @throws CredentialUnreadable
 */
export const withTokens = (
  sealer: Pick<Sealer, 'open' | 'seal' | 'signGrant'>,
  credential: StoredCredential,
  issued: IssuedTokens,
  issuedAt: number,
): StoredCredential => {
  const data = readData(sealer.open(credential, credential.sealed));
  const dataJson = JSON.stringify({ ...data, [TOKEN_FIELD]: toStored(issued, issuedAt) });
  // Data that could not be read again must not be stored.
  readData(dataJson);
  const changed = {
    ...inState(credential, { login: 'signedIn', message: '' }),
    sealed: sealer.seal(credential, dataJson),
  };
  return { ...changed, grants: grantsUnder(sealer, credential, changed) };
};
