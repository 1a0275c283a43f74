import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { isObject } from '@weft/service-kit/json';
import { type ParameterSource, booleanParameter, toJsonObject } from '../shared/read-parameter';

/**
 * The claims of a token: given individually, under the names of their parameters, or as JSON.
 * @throws NodeFailure
 */
export function claimsOf(context: ParameterSource, index: number): JsonObject {
  return booleanParameter(context, 'useJson', index)
    ? jsonObject(context, 'claimsJson', index)
    : (toJsonObject(context.parameter('claims', index)) ?? {});
}

/** A parameter that is a JSON object or string. @throws NodeFailure if it is neither */
export function jsonObject(
  context: ParameterSource,
  name: 'claimsJson' | 'headerClaims',
  itemIndex: number,
): JsonObject {
  const raw = context.parameter(name, itemIndex) ?? context.defaultOf(name);
  if (raw === undefined || raw === '') return {};
  let claims: unknown;
  try {
    claims = typeof raw === 'string' ? JSON.parse(raw) : toJson(raw);
  } catch (cause) {
    throw new NodeFailure(`The parameter "${name}" is not valid JSON.`, { itemIndex, cause });
  }
  if (!isObject(claims) || !isJsonObject(toJson(claims)))
    throw new NodeFailure(`The parameter "${name}" must be a JSON object.`, { itemIndex });
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toJson(value) ?? null]));
}
