import type { Json } from '@weft/service-kit/json-values';
import { ModelError } from '../model-error';
import { EMBEDDING_LIMITS } from './embedding-model';

/**
 * Checks the vectors of a response: one for each text, of one length within the limit, and of finite numbers.
 * @throws ModelError that says which vector is wrong
 */
export function readVectors(entries: readonly Json[], texts: number): Float32Array[] {
  if (entries.length !== texts)
    throw malformed(`has ${entries.length} vectors for ${texts} strings. Check the base URL and the model.`);
  const vectors = entries.map((entry, index) => vectorOf(entry, index));
  const length = vectors[0]?.length ?? 0;
  const other = vectors.findIndex((vector) => vector.length !== length);
  if (other > 0)
    throw malformed(
      `has vectors of different lengths: ${length}, and ${vectors[other]?.length ?? 0} for text ${other}.`,
    );
  return vectors;
}

function vectorOf(entry: Json, index: number): Float32Array {
  if (!Array.isArray(entry) || entry.length === 0) throw malformed(`has no vector for text ${index}.`);
  if (entry.length > EMBEDDING_LIMITS.dimensions)
    throw malformed(
      `has a vector of ${entry.length} numbers; at most ${EMBEDDING_LIMITS.dimensions} fit. Use another model.`,
    );
  const vector = new Float32Array(entry.length);
  for (const [at, value] of entry.entries()) {
    const number = typeof value === 'number' ? Math.fround(value) : NaN;
    if (!Number.isFinite(number)) throw malformed(`has a vector that is not made of numbers, for text ${index}.`);
    vector[at] = number;
  }
  return vector;
}

const malformed = (words: string): ModelError =>
  new ModelError('MALFORMED_RESPONSE', `The response of the service ${words}`);
