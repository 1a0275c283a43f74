import type { Json } from '@weft/node-catalogue';
import { vectorJson } from '../vector-store/batches';
import type { EmbeddedDocument } from '../vector-store/store-backend';
import type { VectorRow } from './statements';

/** Levels of metadata whose text is made storable. */
const MAX_DEPTH = 100;

/** PostgreSQL has neither NUL nor halves of characters in text. */
export function rowOf({
  id,
  pageContent,
  metadata,
  vector,
}: EmbeddedDocument): VectorRow & { readonly length: number } {
  const content = storable(pageContent);
  const written = vectorJson(vector);
  const facts = JSON.stringify(storableJson(metadata, MAX_DEPTH));
  return { id, content, metadata: facts, vector: written, length: written.length + content.length + facts.length };
}

const storable = (text: string): string => text.replaceAll('\u0000', '').toWellFormed();

function storableJson(value: Json, depth: number): Json {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (Array.isArray(value)) return value.map((one) => storableJson(one, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [storable(key), storableJson(one ?? null, depth - 1)]),
  );
}
