import { createHash } from 'node:crypto';
import type { JsonObject, OAuth2Client } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { jsonOf, textOf } from '../request/read-fields';
import { type TokenClient, tokenClientOf } from './token-endpoint';

/** A client that gets tokens with its id and secret alone. */
export interface ClientCredentials {
  /** Derived from the credential's data, so that a changed credential has separate tokens. */
  readonly key: string;
  readonly client: TokenClient & Pick<OAuth2Client, 'scope'>;
  /** Additional fields of token requests. */
  readonly more: Readonly<Record<string, string>>;
}

/**
 * Reads a credential with the grant type clientCredentials.
 * @throws NodeFailure if it has no token endpoint
 */
export function clientCredentialsOf(type: string, client: OAuth2Client, data: JsonObject): ClientCredentials {
  if (client.tokenUrl === '') throw new NodeFailure(`The credential of type ${type} has no "accessTokenUrl".`);
  return {
    key: keyOf(data),
    client: tokenClientOf(client, data),
    more: moreFields(data),
  };
}

/** Key of the tokens that a credential's data yields. */
export function keyOf(data: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64');
}

function moreFields(data: JsonObject): Record<string, string> {
  if (data['sendAdditionalBodyProperties'] !== true) return {};
  const given = jsonOf(data['additionalBodyProperties'] ?? {}, 'additional body properties of the credential');
  return Object.fromEntries(
    Object.entries(isJsonObject(given) ? given : {}).map(([name, value]) => [name, textOf(value)]),
  );
}
