import { type Json, type JsonObject, isJsonObject } from '@weft/node-catalogue';

/** A row as JSON: dates as ISO strings, bytes as `{ type: 'Buffer', data }`, large integers as strings. */
export function jsonOfRow(row: Readonly<Record<string, unknown>>): JsonObject {
  const json: Json = JSON.parse(
    JSON.stringify(row, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );
  return isJsonObject(json) ? json : {};
}
