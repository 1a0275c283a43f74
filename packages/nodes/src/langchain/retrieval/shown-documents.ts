import type { RetrievalDocument } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { storedText } from '../models/stored-text';

/** Characters of documents in a record, and documents. */
const MAX_RECORDED = 64 * 1024;
const MAX_SHOWN = 200;

/** Documents as records show them: the first ones, each with its share of the characters. */
export function shownDocuments(documents: readonly RetrievalDocument[]): JsonObject[] {
  const first = documents.slice(0, MAX_SHOWN);
  const share = Math.max(100, Math.floor(MAX_RECORDED / Math.max(1, first.length)));
  return first.map(({ pageContent, metadata }) => ({ pageContent: storedText(pageContent, share), metadata }));
}
