import type { NodeExecutor } from '@weft/engine';
import { runTest, type TestResult } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundHttp, OutboundRequest } from '@weft/outbound';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { scriptedEmbedding } from '../../testing/scripted-embedding';

const TYPE = '@n8n/n8n-nodes-langchain.';

/** A store with an embedding of vectors of one length, and a loader. */
export interface StoreRun {
  /** Without `langchain.`. */
  readonly kind: string;
  readonly credentialType: string;
  readonly credential: JsonObject;
  readonly parameters: JsonObject;
  readonly items: readonly JsonObject[];
  readonly http: OutboundHttp;
  /** Length of the vectors, 3 by default. */
  readonly length?: number;
  /** 1.3 if absent. */
  readonly version?: number;
  /** Parameters of the loader. */
  readonly loader?: JsonObject;
  /** A sub-node that makes other vectors. */
  readonly embedding?: Omit<NodeExecutor, 'kind'>;
  /** A repeated run has the same. */
  readonly executionId?: string;
}

/** Makes vectors of one length, all in the same direction. */
export const fixedEmbedding = (length: number): Omit<NodeExecutor, 'kind'> => ({
  ...scriptedEmbedding,
  supplies: {
    ai_embedding: () => ({
      name: 'fixed',
      embed: (texts) => Promise.resolve(texts.map((_, at) => new Float32Array(length).fill(1 / (at + 3)))),
    }),
  },
});

/** Runs a store of a real kind on the real engine. */
export const runStore = ({ length = 3, embedding = fixedEmbedding(length), ...run }: StoreRun): Promise<TestResult> =>
  runTest({
    nodes: [
      ['Start', 'source'],
      [
        'Store',
        'store',
        {
          type: `${TYPE}${run.kind}`,
          typeVersion: run.version ?? 1.3,
          parameters: run.parameters,
          credentials: { [run.credentialType]: { id: 'c', name: 'c' } },
        },
      ],
      ['Embedding', 'embedding'],
      ['Loader', 'loader', { type: `${TYPE}documentDefaultDataLoader`, typeVersion: 1, parameters: run.loader ?? {} }],
    ],
    links: ['Start>Store', 'Embedding>Store@ai_embedding', 'Loader>Store@ai_document'],
    executors: { source: ({ items }) => ({ kind: 'items', outputs: [items] }), embedding },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    input: run.items,
    ...(run.executionId === undefined ? {} : { executionId: run.executionId }),
    credential: run.credential,
    ports: { http: run.http },
  });

/** A client whose requests get JSON as their responses, and are remembered. */
export function answeringHttp(answer: (request: OutboundRequest) => string): {
  readonly http: OutboundHttp;
  readonly requests: OutboundRequest[];
} {
  const requests: OutboundRequest[] = [];
  return {
    requests,
    http: {
      request: async (request) => {
        requests.push(request);
        // as a socket does
        await new Promise(setImmediate);
        return {
          status: 200,
          statusText: 'OK',
          headers: { 'content-type': 'application/json' },
          body: Buffer.from(answer(request)),
          url: request.url,
        };
      },
    },
  };
}
