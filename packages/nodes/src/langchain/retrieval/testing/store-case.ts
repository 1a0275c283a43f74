import type { JsonObject } from '@weft/node-catalogue';
import type { CaseExchange } from '../../../testing/cases/node-case';
import type { KindRun } from '../../../testing/cases/run-kind';

/** The versions of vector stores. */
export const STORE_VERSIONS = [1, 1.1, 1.2, 1.3];

/** Metadata of the first string of an item. */
export const FIRST_METADATA = {
  source: 'blob',
  blobType: 'application/json',
  line: 1,
  loc: { lines: { from: 1, to: 1 } },
};

/** Makes runs of a store whose credential has this data. @param resource parameters that name the store */
export const storeRun =
  (type: string, credential: JsonObject, resource: JsonObject) =>
  (mode: string, parameters: JsonObject = {}, over: Partial<KindRun> = {}): Omit<KindRun, 'version'> => ({
    items: [{ text: 'a' }],
    embeds: true,
    node: { credentials: { [type]: { id: 'c1', name: 'Login' } } },
    credential,
    parameters: { mode, ...resource, ...parameters },
    ...over,
  });

/** Parameters of a search for the letter a. */
export const SEARCH: JsonObject = { prompt: 'a', topK: 2 };

/** A run as a tool, for the same letter. */
export const AS_TOOL: readonly [JsonObject, Partial<KindRun>] = [
  { toolName: 'docs', toolDescription: 'Documents.', topK: 2 },
  { items: [{ input: 'a' }] },
];

/** The start of a vector of the letter a. */
export const VECTOR_OF_A = '[1,0,0,0,0';

/** A response that the service refuses. */
export const refusal = (exchange: CaseExchange, status: number, response: unknown): CaseExchange => ({
  ...exchange,
  status,
  response,
});
