import { createHash } from 'node:crypto';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject, objectField, textField } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { jsonOf, textOf } from '../request/read-fields';

/** Settings for obtaining the token of a credential of type oAuth2Api. */
export interface OAuth2Grant {
  /** Derived from the credential's data, so that a changed credential has separate tokens. */
  readonly key: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  /** Where the client id and secret are sent. */
  readonly clientIn: 'header' | 'body';
  /** Additional fields of token requests. */
  readonly more: Readonly<Record<string, string>>;
  readonly ignoresCertificates: boolean;
  /** True if id and secret suffice to get a token. False if a user must have logged in before. */
  readonly isClientCredentials: boolean;
  /** Tokens of a login made in another system. */
  readonly stored: { readonly accessToken: string; readonly refreshToken: string | undefined } | undefined;
}

/**
 * Reads a credential of type oAuth2Api.
 * @throws NodeFailure if it cannot yield a token
 */
export function oauth2Grant(data: JsonObject): OAuth2Grant {
  const tokenUrl = textField(data, 'accessTokenUrl') ?? '';
  const isClientCredentials = textField(data, 'grantType') === 'clientCredentials';
  const tokens = objectOf(data['oauthTokenData']);
  const accessToken = textField(tokens, 'access_token') ?? '';
  if (isClientCredentials && tokenUrl === '')
    throw new NodeFailure('The credential of type oAuth2Api has no "accessTokenUrl".');
  if (!isClientCredentials && accessToken === '') {
    throw new NodeFailure('The credential of type oAuth2Api has no token.', {
      description:
        'Interactive login is not available yet. Store the token of a login made in another system ' +
        'under "oauthTokenData" of the credential, as { "access_token", "refresh_token" }, or use the grant ' +
        'type clientCredentials.',
    });
  }
  return {
    key: createHash('sha256').update(JSON.stringify(data)).digest('base64'),
    tokenUrl,
    isClientCredentials,
    clientId: textField(data, 'clientId') ?? '',
    clientSecret: textField(data, 'clientSecret') ?? '',
    scope: textField(data, 'scope') ?? '',
    clientIn: textField(data, 'authentication') === 'body' ? 'body' : 'header',
    more: moreFields(data),
    ignoresCertificates: data['ignoreSSLIssues'] === true,
    stored: accessToken === '' ? undefined : { accessToken, refreshToken: textField(tokens, 'refresh_token') },
  };
}

function moreFields(data: JsonObject): Record<string, string> {
  if (data['sendAdditionalBodyProperties'] !== true) return {};
  const given = jsonOf(data['additionalBodyProperties'] ?? {}, 'additional body properties of the credential');
  return Object.fromEntries(
    Object.entries(isJsonObject(given) ? given : {}).map(([name, value]) => [name, textOf(value)]),
  );
}

function objectOf(value: Json | undefined): JsonObject {
  if (typeof value !== 'string') return objectField({ value: value ?? null }, 'value') ?? {};
  const parsed = jsonOf(value, 'oauthTokenData of the credential');
  return isJsonObject(parsed) ? parsed : {};
}
