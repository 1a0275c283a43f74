/** Protocols of services that make vectors from strings. */
export type EmbeddingFormat = 'openai' | 'azure' | 'gemini' | 'ollama' | 'cohere';

/** Purpose of a vector. Some services have different vectors for queries and for documents. */
export type EmbeddingPurpose = 'document' | 'query';

/** The address of a service, and its protocol. */
export interface EmbeddingEndpoint {
  readonly format: EmbeddingFormat;
  /** Absolute URL without the path of the format, for example `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  /** Name of the model. */
  readonly model: string;
  /** Sent in the header of the format. */
  readonly apiKey?: string;
  /** Version of the API, which Azure expects in each request. */
  readonly apiVersion?: string;
  /** Further headers, all of which are treated as secrets. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Host patterns that the key may be sent to. */
  readonly allowedHosts?: readonly string[];
}

/** Settings of all calls of a node. */
export interface EmbeddingSettings {
  /** Wanted length of the vectors; the model's own if absent. Only `openai` has it. */
  readonly dimensions?: number;
  /** Largest number of strings in one request, at most 96. */
  readonly batchSize?: number;
  /** Milliseconds for one request with its retries; 300,000 if absent. */
  readonly timeoutMs?: number;
}

/** Vectors of the strings of one request, in their order. */
export interface Embedded {
  readonly vectors: readonly Float32Array[];
  /** Tokens as the service counted them; undefined if it does not say. */
  readonly tokens: number | undefined;
}

/** Limits on vectors, which come from untrusted services. */
export const EMBEDDING_LIMITS = {
  /** Texts of one request: with 4,096 dimensions, the response has at most 9 MB. */
  texts: 96,
  /** Bytes of the strings of one request. */
  textBytes: 512 * 1024,
  /** Numbers of one vector; pgvector has the same limit. */
  dimensions: 16_000,
} as const;
