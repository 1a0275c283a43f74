import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { RE2JS } from 're2js';
import { messageOf, NodeFailure } from '@weft/engine';

/** Maximum number of levels to search, whatever the configured depth. */
const MAX_LEVELS = 500;
const MAX_PATTERN_LENGTH = 5_000;

/** A regular expression that runs in time linear in the length of the string. */
export type NamePattern = RE2JS;

/** @throws NodeFailure if the pattern is invalid, too long, or uses lookaround or backreferences */
export function compilePattern(source: string, ignoreCase: boolean): NamePattern {
  if (source.length > MAX_PATTERN_LENGTH)
    throw new NodeFailure(`The regular expression is longer than ${MAX_PATTERN_LENGTH} characters.`);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(source), ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (cause) {
    throw new NodeFailure(`The regular expression ${source.slice(0, 200)} cannot be used: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/**
 * The object with matches in its field names replaced (`$1` is a group), and in those of nested objects up to `depth`
 * levels down. A renamed field follows the others, or replaces one with its new name.
 */
export function renameByPattern(
  json: JsonObject,
  pattern: NamePattern,
  replacement: string,
  depth: number,
): JsonObject {
  return renamedObject(json, pattern, replacement, Math.min(depth, MAX_LEVELS));
}

function renamedObject(json: JsonObject, pattern: NamePattern, replacement: string, depth: number): JsonObject {
  const fields = new Map(
    Object.entries(json).map(([name, value]): [string, Json] => [
      name,
      depth > 0 ? renamedValue(value, pattern, replacement, depth - 1) : value,
    ]),
  );
  for (const name of Object.keys(json)) {
    const renamed = pattern.matcher(name).replaceAll(replacement);
    // A field called __proto__ would change the prototype of the object.
    if (renamed === name || renamed === '__proto__') continue;
    fields.set(renamed, fields.get(name) ?? null);
    fields.delete(name);
  }
  return Object.fromEntries(fields);
}

function renamedValue(value: Json, pattern: NamePattern, replacement: string, depth: number): Json {
  if (isJsonObject(value)) return renamedObject(value, pattern, replacement, depth);
  if (!Array.isArray(value) || depth < 0) return value;
  return value.map((entry) => (depth > 0 ? renamedValue(entry, pattern, replacement, depth - 1) : entry));
}
