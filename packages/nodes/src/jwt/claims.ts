import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { toJson } from '@weft/expressions';
import { isObject } from '@weft/service-kit/json';
import { type ParameterSource, booleanParameter, toJsonObject } from '../shared/read-parameter';

/**
 * The claims of a token: those stated one by one, under the names of their fields, or JSON.
 * @throws NodeFailure
 */
export function claimsOf(context: ParameterSource, index: number): JsonObject {
  return booleanParameter(context, 'useJson', index)
    ? jsonObject(context, 'claimsJson', index)
    : (toJsonObject(context.parameter('claims', index)) ?? {});
}

/** A parameter that is a JSON object, or the text of one. @throws NodeFailure if it is neither */
export function jsonObject(
  context: ParameterSource,
  name: 'claimsJson' | 'headerClaims',
  itemIndex: number,
): JsonObject {
  const stated = context.parameter(name, itemIndex) ?? context.defaultOf(name);
  if (stated === undefined || stated === '') return {};
  let claims: unknown;
  try {
    claims = typeof stated === 'string' ? JSON.parse(stated) : toJson(stated);
  } catch (cause) {
    throw new NodeFailure(`The parameter "${name}" is not valid JSON.`, { itemIndex, cause });
  }
  if (!isObject(claims) || !isJsonObject(toJson(claims)))
    throw new NodeFailure(`The parameter "${name}" must be a JSON object.`, { itemIndex });
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, toJson(value) ?? null]));
}
