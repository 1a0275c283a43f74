import type { JsonObject } from '@weft/node-catalogue';
import { type NodeExecutor, output } from '@weft/engine';
import { eachItem } from '../shared/each-item';
import { isObject } from '@weft/service-kit/json';
import { nameOf, objectsParameter } from '../shared/read-parameter';
import { getPath, setPath, unsetPath } from '../shared/values/json-path';
import type { NamePattern } from './rename-by-pattern';
import { compilePattern, renameByPattern } from './rename-by-pattern';

/** Renames fields of every item: listed ones first, then all that match a regular expression. */
export const renameKeys: NodeExecutor = {
  kind: 'renameKeys',
  actsOutside: false,
  run: async (context) => {
    const patterns = new Map<string, NamePattern>();
    return output(
      await eachItem(context, (item, index) => {
        let json = { ...item.json };
        for (const { currentKey, newKey } of objectsParameter(context, 'keys.key', index))
          rename(json, nameOf(currentKey), nameOf(newKey));
        for (const given of objectsParameter(context, 'additionalOptions.regexReplacement.replacements', index)) {
          const { pattern, replacement, depth } = readReplacement(given, patterns);
          json = renameByPattern(json, pattern, replacement, depth);
        }
        return [{ json, ...(item.binary === undefined ? {} : { binary: item.binary }) }];
      }),
    );
  },
};

function rename(json: JsonObject, from: string, to: string): void {
  if (from === '' || to === '' || from === to) return;
  const value = getPath(json, from);
  if (value === undefined) return;
  setPath(json, to, value);
  unsetPath(json, from);
}

function readReplacement(
  given: Record<string, unknown>,
  patterns: Map<string, NamePattern>,
): { pattern: NamePattern; replacement: string; depth: number } {
  const options = isObject(given['options']) ? given['options'] : {};
  const source = nameOf(given['searchRegex']);
  const ignoreCase = options['caseInsensitive'] === true;
  const key = `${ignoreCase ? 'i' : ''}/${source}`;
  const pattern = patterns.get(key) ?? compilePattern(source, ignoreCase);
  patterns.set(key, pattern);
  const depth = Number(options['depth'] ?? -1);
  return {
    pattern,
    replacement: nameOf(given['replaceRegex']),
    depth: Number.isInteger(depth) && depth >= 0 ? depth : Infinity,
  };
}
