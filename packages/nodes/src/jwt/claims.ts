import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import {
  type ParameterSource,
  booleanParameter,
  isRecord,
  numberParameter,
  textParameter,
} from '../shared/read-parameter';

/** Text claims: the name of the parameter and that of the claim. */
const TEXT_CLAIMS = [
  ['audience', 'aud'],
  ['issuer', 'iss'],
  ['jwtid', 'jti'],
  ['subject', 'sub'],
] as const;

/**
 * The claims of a token: those stated one by one, or JSON. Times count from `issuedAt`, in Unix seconds.
 * @throws NodeFailure
 */
export function claimsOf(context: ParameterSource, index: number, issuedAt: number): JsonObject {
  return booleanParameter(context, 'useJson', index)
    ? jsonClaims(context, index)
    : statedClaims(context, index, issuedAt);
}

function jsonClaims(context: ParameterSource, itemIndex: number): JsonObject {
  const stated = context.parameter('claimsJson', itemIndex);
  let claims: unknown;
  try {
    claims = typeof stated === 'string' ? JSON.parse(stated) : toJson(stated);
  } catch (cause) {
    throw new NodeFailure('The claims are not valid JSON.', { itemIndex, cause });
  }
  if (!isRecord(claims) || !isJsonObject(toJson(claims)))
    throw new NodeFailure('The claims must be a JSON object.', { itemIndex });
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toJson(value) ?? null]));
}

/** Expiry and start are stated in seconds from now. */
function statedClaims(context: ParameterSource, index: number, issuedAt: number): JsonObject {
  const claims: JsonObject = {};
  for (const [parameter, claim] of TEXT_CLAIMS) {
    const value = textParameter(context, `claims.${parameter}`, index);
    if (value !== '') claims[claim] = value;
  }
  for (const [parameter, claim] of [
    ['expiresIn', 'exp'],
    ['notBefore', 'nbf'],
  ] as const) {
    const seconds = numberParameter(context, `claims.${parameter}`, index, NaN);
    if (Number.isFinite(seconds)) claims[claim] = issuedAt + Math.floor(seconds);
  }
  return claims;
}
