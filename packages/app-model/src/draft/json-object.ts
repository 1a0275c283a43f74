import type { Json, JsonObject } from '@weft/service-kit/json-values';

/** A JSON object of the members that are not undefined. */
export const objectOf = (members: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(members).filter((one): one is [string, Json] => one[1] !== undefined));

/** A value that consists of JSON, as JSON. */
export function asJson(value: object): JsonObject {
  const json: JsonObject = JSON.parse(JSON.stringify(value));
  return json;
}
