import { type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { type JsonObject, providedBy, typeOf } from '@weft/node-catalogue';
import { describeKind } from '../../descriptors/kinds';
import { scriptedEmbedding } from '../../langchain/testing/scripted-embedding';
import { type ModelScript, scriptedModel } from '../../langchain/testing/scripted-model';
import { type SCRIPTED_RETRIEVAL, scriptedRetrieval } from '../../langchain/testing/scripted-retrieval';

/** Sub-nodes of the node of a case. */
export interface CaseSubNodes {
  /** Answers of the model that is attached to it. */
  readonly model?: ModelScript;
  /** The parser that is attached to it. */
  readonly parser?: { readonly kind: string; readonly version?: number; readonly parameters?: JsonObject };
  /** True if the simple memory is attached to it, with the session of the item. */
  readonly hasMemory?: boolean;
  /** True for an embedding of letters, and a loader of the JSON of items, that are attached to it. */
  readonly embeds?: boolean;
  /** Connections of a sub-node that finds numbered documents for a query. */
  readonly finds?: readonly (typeof SCRIPTED_RETRIEVAL)[number][];
}

/** Nodes and links that a case adds to its node. */
export interface AddedNodes {
  readonly nodes: readonly JsonObject[];
  readonly connections: JsonObject;
}

/** Runs of the nodes that use sub-nodes, for each item. The user of a memory says `say` and outputs what it knew. */
const USES: Readonly<Record<string, NodeExecutor['run']>> = {
  ai_outputParser: async (context) => {
    const parsed = await Promise.all(
      context.items.map(async ({ json }, index) => {
        const [supplied] = await context.attached('ai_outputParser', index);
        if (supplied === undefined) throw new NodeFailure('No parser is attached');
        const text = json['text'];
        return supplied.handle.parse(typeof text === 'string' ? text : JSON.stringify(text ?? ''));
      }),
    );
    return output(parsed.map((result, item) => ({ json: { parsed: result }, pairedItem: { item } })));
  },
  ai_memory: async (context) => {
    const known: string[] = [];
    for (const [index, { json }] of context.items.entries()) {
      const [supplied] = await context.attached('ai_memory', index);
      if (supplied === undefined) throw new NodeFailure('No memory is attached');
      const said = String(json['say'] ?? '');
      known.push(JSON.stringify((await supplied.handle.load()).map(({ content }) => content)));
      await supplied.handle.append([
        { role: 'user', content: said },
        { role: 'assistant', content: `re ${said}` },
      ]);
    }
    return output(known.map((json, item) => ({ json: { known: JSON.parse(json) }, pairedItem: { item } })));
  },
  ai_vectorStore: async (context) => {
    const found = [];
    for (const [index, { json }] of context.items.entries()) {
      const [supplied] = await context.attached('ai_vectorStore', index);
      if (supplied === undefined) throw new NodeFailure('No vector store is attached');
      const documents = await supplied.handle.search(String(json['text'] ?? ''), 2);
      found.push({ json: { found: documents.map(({ pageContent }) => pageContent) }, pairedItem: { item: index } });
    }
    return output(found);
  },
  ai_retriever: async (context) => {
    const found = [];
    for (const [index, { json }] of context.items.entries()) {
      const [supplied] = await context.attached('ai_retriever', index);
      if (supplied === undefined) throw new NodeFailure('No retriever is attached');
      const documents = await supplied.handle.retrieve(String(json['query'] ?? ''));
      found.push({ json: { found: documents.map(({ pageContent }) => pageContent) }, pairedItem: { item: index } });
    }
    return output(found);
  },
  ai_reranker: async (context) => {
    const ranked = [];
    for (const [index, { json }] of context.items.entries()) {
      const [supplied] = await context.attached('ai_reranker', index);
      if (supplied === undefined) throw new NodeFailure('No reranker is attached');
      const { documents = [] } = json;
      const given = (Array.isArray(documents) ? documents : [documents]).map((one) => ({
        pageContent: String(one),
        metadata: {},
      }));
      const found = await supplied.handle.rerank(String(json['query'] ?? ''), given);
      const scores = found.map(({ score }) => score);
      ranked.push({
        json: { ranked: found.map(({ pageContent }) => pageContent), scores },
        pairedItem: { item: index },
      });
    }
    return output(ranked);
  },
};

/**
 * The type that a node provides as a sub-node, and the kind of the node that uses it; undefined for tools, which run as
 * any node, and for other nodes.
 */
export const userOf = (
  kind: string,
  parameters: JsonObject = {},
): { readonly type: string; readonly user: string } | undefined => {
  const descriptor = describeKind(kind);
  if (descriptor === undefined) return undefined;
  const [type] = providedBy({ id: '', name: '', type: typeOf(kind), parameters, position: [0, 0] }, descriptor);
  return type === undefined || type === 'ai_tool' ? undefined : { type, user: `uses_${type}` };
};

/** Executors of the nodes of cases that are no kinds. */
export function caseExecutors({ model }: CaseSubNodes): (readonly [string, NodeExecutor])[] {
  const users = Object.entries(USES).map(
    ([type, run]) => [`uses_${type}`, { kind: `uses_${type}`, actsOutside: false, run }] as const,
  );
  const all: (readonly [string, NodeExecutor])[] = [
    ...users,
    ['scriptedEmbedding', { kind: 'scriptedEmbedding', ...scriptedEmbedding }],
    ['scriptedRetrieval', { kind: 'scriptedRetrieval', ...scriptedRetrieval }],
  ];
  if (model === undefined) return all;
  return [...all, ['scriptedModel', { kind: 'scriptedModel', ...scriptedModel(model).executor }]];
}

/** The sub-nodes of a node. @param to its name */
export function addedNodes({ model, parser, hasMemory, embeds, finds = [] }: CaseSubNodes, to: string): AddedNodes {
  const link = (type: string): JsonObject => ({ [type]: [[{ node: to, type, index: 0 }]] });
  const node = (name: string, type: string, over: JsonObject = {}): JsonObject => ({
    name,
    type,
    position: [0, 0],
    parameters: {},
    ...over,
  });
  return {
    nodes: [
      ...(model === undefined ? [] : [node('Model', 'weft-nodes-base.scriptedModel')]),
      ...(parser === undefined
        ? []
        : [
            node('Parser', typeOf(parser.kind), {
              parameters: parser.parameters ?? {},
              ...(parser.version === undefined ? {} : { typeVersion: parser.version }),
            }),
          ]),
      ...(hasMemory === true
        ? [node('Memory', typeOf('langchain.memoryBufferWindow'), { id: 'm', typeVersion: 1.3 })]
        : []),
      ...(embeds === true
        ? [
            node('Embedding', 'weft-nodes-base.scriptedEmbedding'),
            node('Loader', typeOf('langchain.documentDefaultDataLoader')),
          ]
        : []),
      ...finds.map((type) => node(`Finds ${type}`, 'weft-nodes-base.scriptedRetrieval')),
    ],
    connections: {
      ...(model === undefined ? {} : { Model: link('ai_languageModel') }),
      ...(parser === undefined ? {} : { Parser: link('ai_outputParser') }),
      ...(hasMemory === true ? { Memory: link('ai_memory') } : {}),
      ...(embeds === true ? { Embedding: link('ai_embedding'), Loader: link('ai_document') } : {}),
      ...Object.fromEntries(finds.map((type) => [`Finds ${type}`, link(type)])),
    },
  };
}
