import { createHash, type Hash } from 'node:crypto';
import { isJsonObject, type Json } from '@weft/node-catalogue';
import type { DefinitionJson } from '../workflows/workflow';

/** Names the algorithm, so that a later one can be told apart. */
const ALGORITHM = '1:';

/** Adds a value as JSON text with sorted keys, without spaces. Definitions have at most 100 levels. */
const addValue = (hash: Hash, value: Json): void => {
  if (Array.isArray(value)) {
    hash.update('[');
    value.forEach((entry, index) => {
      if (index > 0) hash.update(',');
      addValue(hash, entry);
    });
    hash.update(']');
  } else if (isJsonObject(value)) addObject(hash, Object.entries(value));
  else hash.update(JSON.stringify(value));
};

const addObject = (hash: Hash, entries: readonly (readonly [string, Json])[]): void => {
  hash.update('{');
  [...entries]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .forEach(([key, inner], index) => {
      hash.update(`${index > 0 ? ',' : ''}${JSON.stringify(key)}:`);
      addValue(hash, inner);
    });
  hash.update('}');
};

const withoutId = (node: Json): Json => {
  if (!isJsonObject(node)) return node;
  const { id: _id, ...rest } = node;
  return rest;
};

/**
 * The hash of a completed definition: `1:` and the SHA-256 of its JSON text with sorted keys, without the ids of nodes,
 * which are generated where a definition has none.
 */
export const definitionHash = (value: DefinitionJson): string => {
  const { nodes } = value;
  const hash = createHash('sha256');
  addObject(hash, Object.entries(Array.isArray(nodes) ? { ...value, nodes: nodes.map(withoutId) } : value));
  return `${ALGORITHM}${hash.digest('hex')}`;
};
