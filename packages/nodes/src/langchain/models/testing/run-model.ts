import type { ChatCall, ChatMessage, ChatResult } from '@weft/models';
import { serveModels, type ModelServer } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type LanguageModel, type NodeExecutor, NodeFailure, type NodeRunRecord } from '@weft/engine';
import { runTest, type TestResult } from '@weft/engine/testing';
import { createOutboundClient, type OutboundClient, type OutboundStreams } from '@weft/outbound';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';

/** A stand-in for the services of models, and a client that reaches it. */
export interface ModelWorld {
  readonly server: ModelServer;
  readonly http: OutboundClient;
  close(): Promise<void>;
}

/** Starts the stand-in. */
export async function openModelWorld(): Promise<ModelWorld> {
  const server = await serveModels();
  const http = createOutboundClient({ allow: ['127.0.0.0/8'] });
  return {
    server,
    http,
    close: async () => {
      http.close();
      await server.close();
    },
  };
}

/** A model node, and the node that uses it. */
export interface ModelRun {
  readonly kind: string;
  readonly version?: number;
  readonly parameters?: JsonObject;
  readonly credential: JsonObject;
  readonly streams: OutboundStreams;
  /** JSON of the items of the root; one empty item if absent. */
  readonly items?: readonly JsonObject[];
  /** Makes the root's call for an item; a message with its field `ask` if absent. */
  readonly call?: (item: JsonObject) => ChatCall;
  readonly pins?: readonly JsonObject[];
  readonly settings?: JsonObject;
  readonly signal?: AbortSignal;
}

/** Result of a run with a model. */
export interface ModelRunResult extends Pick<TestResult, 'outcome' | 'records'> {
  /** Results of the calls, in the order of the items. */
  readonly results: readonly ChatResult[];
  /** Records of the model. */
  readonly calls: readonly NodeRunRecord[];
  /** Facts of the handle that the root got last. */
  readonly handle: Pick<LanguageModel, 'name' | 'enforcesSchema' | 'answersJson'> | undefined;
}

/** Name of the model node. */
const MODEL = 'Model';

const CREDENTIALS: JsonObject = Object.fromEntries(
  [...KIND_TABLE.values()].flatMap(({ kind, credentials: [credential] }) =>
    kind.startsWith('langchain.lm') && credential !== undefined
      ? [[kind, { [credential.type]: { id: 'c', name: 'c' } }]]
      : [],
  ),
);

const ask = (content: string): ChatCall => {
  const message: ChatMessage = { role: 'user', content };
  return { messages: [message] };
};

/** Runs a stub root with a model of a real kind, on the real engine. It makes one call for each item. */
export async function runModel(run: ModelRun): Promise<ModelRunResult> {
  const results: ChatResult[] = [];
  let handle: ModelRunResult['handle'];
  const executor = NODE_REGISTRY.get(`langchain.${run.kind}`);
  if (executor === undefined) throw new Error(`There is no kind ${run.kind}.`);
  const root: Omit<NodeExecutor, 'kind'> = {
    actsOutside: true,
    run: async (context) => {
      for (const [index, { json }] of context.items.entries()) {
        const [model] = await context.attached('ai_languageModel', index);
        if (model === undefined) throw new NodeFailure('There is no model.');
        const { name, enforcesSchema, answersJson = false } = model.handle;
        handle = { name, enforcesSchema, answersJson };
        results.push(await model.handle.call(run.call?.(json) ?? ask(String(json['ask'] ?? 'Hello'))));
      }
      return { kind: 'items', outputs: [results.map(({ message }) => ({ json: { text: message.content } }))] };
    },
  };
  const { outcome, records } = await runTest({
    nodes: [
      ['Root', 'root'],
      [
        MODEL,
        'model',
        {
          type: `@n8n/n8n-nodes-langchain.${run.kind}`,
          parameters: run.parameters ?? {},
          credentials: CREDENTIALS[executor.kind] ?? {},
          ...(run.version === undefined ? {} : { typeVersion: run.version }),
        },
      ],
    ],
    links: [`${MODEL}>Root@ai_languageModel`],
    executors: { root, [executor.kind]: executor },
    kinds: KIND_TABLE,
    input: run.items ?? [{}],
    credential: run.credential,
    streams: run.streams,
    definition: {
      settings: run.settings ?? {},
      ...(run.pins === undefined ? {} : { pinData: { [MODEL]: run.pins.map((json) => ({ json })) } }),
    },
    ...(run.signal === undefined ? {} : { signal: run.signal }),
  });
  return { outcome, records, results, calls: records.get(MODEL) ?? [], handle };
}
