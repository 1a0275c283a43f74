import { NodeFailure, type RetrievalDocument } from '@weft/engine';
import { field, isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { stringsIn } from '../../shared/strings-in';

const MAX_POINTERS = 100;

/**
 * A document for each string in a value, in order; of the places that pointers name, if there are any.
 * @param pointers separated by commas
 * @throws NodeFailure for text that is no pointer
 */
export function documentsOfJson(value: Json, pointers: string, itemIndex: number): RetrievalDocument[] {
  const places = pointers
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  if (places.length > MAX_POINTERS)
    throw new NodeFailure(`"JSON pointers" has more than ${MAX_POINTERS} entries`, { itemIndex });
  const found = places.length === 0 ? [value] : places.map((place) => at(value, place, itemIndex));
  return found
    .flatMap((one) => (one === undefined ? [] : stringsIn(one)))
    .map((pageContent, line) => ({ pageContent, metadata: blob('application/json', { line: line + 1 }) }));
}

/** Facts of a document, by the names that n8n has for them. */
export const blob = (blobType: string, more: JsonObject = {}): JsonObject => ({ source: 'blob', blobType, ...more });

/** The value at a JSON pointer (RFC 6901); undefined if the document has no such value. */
function at(root: Json, pointer: string, itemIndex: number): Json | undefined {
  if (!pointer.startsWith('/'))
    throw new NodeFailure(`"JSON pointers": "${pointer.slice(0, 100)}" must start with "/"`, { itemIndex });
  let value: Json | undefined = root;
  for (const part of pointer.slice(1).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
    else value = value !== undefined && isJsonObject(value) ? field(value, name) : undefined;
  }
  return value;
}
