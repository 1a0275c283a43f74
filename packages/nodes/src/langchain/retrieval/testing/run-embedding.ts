import type { NodeRunRecord } from '@weft/engine';
import { runTest, type TestResult } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import type { OutboundStreams } from '@weft/outbound';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { credentialTypeOf } from '../../models/model-credential';

/** An embedding node, and the strings that a root wants vectors of. */
export interface EmbeddingRun {
  readonly kind: string;
  readonly version?: number;
  readonly parameters?: JsonObject;
  readonly credential: JsonObject;
  readonly streams: OutboundStreams;
  readonly texts: readonly string[];
  readonly purpose?: 'document' | 'query';
  readonly settings?: JsonObject;
}

/** Result of a run with an embedding node. */
export interface EmbeddingRunResult extends Pick<TestResult, 'outcome'> {
  readonly vectors: readonly (readonly number[])[];
  /** Records of the embedding node. */
  readonly calls: readonly NodeRunRecord[];
  readonly root: NodeRunRecord | undefined;
}

/** Runs a stub root with an embedding node of a real kind, on the real engine. */
export async function runEmbedding(run: EmbeddingRun): Promise<EmbeddingRunResult> {
  let vectors: number[][] = [];
  const { outcome, records } = await runTest({
    nodes: [
      ['Root', 'root'],
      [
        'Embedding',
        `langchain.${run.kind}`,
        {
          type: `@n8n/n8n-nodes-langchain.${run.kind}`,
          parameters: run.parameters ?? {},
          credentials: { [credentialTypeOf(run.kind)]: { id: 'c', name: 'c' } },
          ...(run.version === undefined ? {} : { typeVersion: run.version }),
        },
      ],
    ],
    links: ['Embedding>Root@ai_embedding'],
    executors: {
      root: async (context) => {
        const [supplied] = await context.attached('ai_embedding', 0);
        vectors = ((await supplied?.handle.embed(run.texts, run.purpose ?? 'document')) ?? []).map((one) => [...one]);
        return { kind: 'items', outputs: [[{ json: {} }]] };
      },
    },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
    credential: run.credential,
    streams: run.streams,
    definition: { settings: run.settings ?? {} },
  });
  return { outcome, vectors, calls: records.get('Embedding') ?? [], root: records.get('Root')?.[0] };
}
