import { maskedError } from '../client/masked-error';
import { readWhole } from '../client/read-response';
import { completeDeps, type GivenDeps, type ModelDeps, sendWithRetries } from '../client/send';
import { timeoutOf } from '../limits';
import { ModelError } from '../model-error';
import { EMBEDDING_CODECS } from './codecs';
import type { Embedded, EmbeddingEndpoint, EmbeddingPurpose, EmbeddingSettings } from './embedding-model';
import { readVectors } from './read-vectors';

/** One request for the vectors of strings. */
export interface EmbeddingCall {
  /** At least one, within `EMBEDDING_LIMITS`. */
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
  readonly settings?: EmbeddingSettings;
  readonly signal?: AbortSignal;
}

/** A service that makes vectors from strings. */
export interface EmbeddingClient {
  /** @throws ModelError if the service refuses or gives something else, OutboundError without a connection */
  embed(call: EmbeddingCall): Promise<Embedded>;
}

/** The service at an endpoint. Nothing is sent before the first call. */
export function createEmbeddingClient(endpoint: EmbeddingEndpoint, deps: GivenDeps): EmbeddingClient {
  const ports = completeDeps(deps);
  return {
    embed: async (call) => {
      try {
        return await embedOnce(endpoint, ports, call);
      } catch (error) {
        throw error instanceof ModelError ? maskedError(error, endpoint) : error;
      }
    },
  };
}

async function embedOnce(
  endpoint: EmbeddingEndpoint,
  deps: ModelDeps,
  { texts, purpose, settings = {}, signal }: EmbeddingCall,
): Promise<Embedded> {
  const codec = EMBEDDING_CODECS[endpoint.format];
  const { path, body, key } = codec.build(texts, purpose, endpoint, settings);
  const own = endpoint.headers ?? [];
  const request = {
    method: 'POST',
    url: `${endpoint.baseUrl.replace(/\/$/, '')}${path}`,
    headers: [['content-type', 'application/json'], ['accept', 'application/json'], ...key, ...own] as const,
    secretHeaders: [...key, ...own].map(([name]) => name),
    body: Buffer.from(JSON.stringify(body)),
    followRedirects: true,
    idleTimeoutMs: timeoutOf(settings),
    ...(signal === undefined ? {} : { signal }),
    ...(endpoint.allowedHosts === undefined ? {} : { allowedHosts: endpoint.allowedHosts }),
  };
  const response = await sendWithRetries(deps, request, settings, endpoint.model);
  try {
    const { withoutSecrets } = deps;
    const answer = await readWhole(response, { model: endpoint.model, withoutSecrets });
    return { vectors: readVectors(codec.vectors(answer), texts.length), tokens: codec.tokens(answer) };
  } finally {
    response.cancel();
  }
}
