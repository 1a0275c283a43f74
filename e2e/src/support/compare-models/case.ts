import type { ScriptedCall, ScriptStep } from '@weft/models/testing';
import { modelNode } from '../agents';
import { node, type NodeFile } from '../workflows';

/** Parts of a comparison. */
export type Part = 'requests' | 'items' | 'runs';

/** A workflow that both programs run against the same script. */
export interface CompareCase {
  readonly name: string;
  /** All but the webhook `Hook`, which leads to the first of them. Strings may have the words of {@link PLACES}. */
  readonly nodes: readonly NodeFile[];
  /** Sub-nodes: by the sub-node, its type and the node that uses it. */
  readonly links?: readonly (readonly [from: string, type: string, to: string, input?: number])[];
  /** Nodes after the first one, in their order. */
  readonly next?: readonly string[];
  /** Responses to the requests of all calls together. */
  readonly steps: readonly ScriptStep[];
  /** Responses by words in the last message, where requests are made at once; in place of `steps`. */
  readonly byWord?: Readonly<Record<string, ScriptStep>>;
  /** Bodies of the calls of the webhook, one after the other; one empty object if absent. */
  readonly bodies?: readonly object[];
  /** The prompts of the kind are Weft's own: requests are compared without instructions. */
  readonly hasOwnPrompts?: true;
  /** Differences that are intended, with the reason. */
  readonly intended?: Readonly<Partial<Record<Part, string>>>;
}

/** Words in strings of a case that stand for what each program has. */
export const PLACES = { model: '%MODEL%', tool: '%TOOL%', called: '%CALLED%' } as const;

/** Credentials that nodes of cases name, by type, with their data. */
export const CREDENTIALS: Readonly<Record<string, object>> = {
  openAiApi: { apiKey: 'sk-compare-0123456789', url: `${PLACES.model}/v1`, header: false },
  anthropicApi: { apiKey: 'sk-compare-0123456789', url: PLACES.model, header: false },
  googlePalmApi: { apiKey: 'sk-compare-0123456789', host: PLACES.model },
  ollamaApi: { baseUrl: PLACES.model, apiKey: '' },
};

/** A model node `Model` of a kind. */
export const modelOf = (
  kind: string,
  version: number,
  credential: string,
  parameters: Readonly<Record<string, unknown>>,
  name = 'Model',
): NodeFile =>
  modelNode(name, kind, version, parameters, { credentials: { [credential]: { id: credential, name: credential } } });

/** The model of most cases. */
export const gpt = (options: object = {}, name = 'Model'): NodeFile =>
  modelOf('lmChatOpenAi', 1.2, 'openAiApi', { model: { __rl: true, mode: 'id', value: 'gpt-4o' }, options }, name);

const USAGE = { input: 21, output: 8 };

export const say = (text: string): ScriptStep => ({ answer: { text, usage: USAGE } });

/** An answer that calls tools; arguments by the name of the tool. */
export const call = (...calls: readonly (readonly [name: string, input: ScriptedCall['input']])[]): ScriptStep => ({
  answer: {
    usage: USAGE,
    toolCalls: calls.map(([name, input], at) => ({ id: `call_${name}_${at}`, name, input })),
  },
});

/** An answer that is JSON. */
export const json = (value: unknown): ScriptStep => say(JSON.stringify(value));

/** A tool that returns its argument in capital letters. */
export const shout = modelNode('Shout', 'toolCode', 1.1, {
  name: 'Shout',
  description: 'Says a text loudly.',
  language: 'javaScript',
  jsCode: 'return query.toUpperCase()',
});

/** A root of a kind, named `Root`. */
export const root = (kind: string, version: number, parameters: Readonly<Record<string, unknown>>): NodeFile =>
  modelNode('Root', kind, version, parameters);

/** A case whose root has a model, and other sub-nodes by their type. */
export function rootCase(
  name: string,
  first: NodeFile,
  steps: readonly ScriptStep[],
  {
    sub = [],
    model = gpt(),
    ...more
  }: Partial<CompareCase> & {
    readonly sub?: readonly (readonly [type: string, node: NodeFile])[];
    readonly model?: NodeFile;
  } = {},
): CompareCase {
  return {
    name,
    nodes: [first, model, ...sub.map(([, each]) => each)],
    links: [['Model', 'ai_languageModel', 'Root'], ...sub.map(([type, each]) => [each.name, type, 'Root'] as const)],
    steps,
    ...more,
  };
}

/** The workflow of a case. @param path of its webhook */
export function workflowOf({ name, nodes, links = [], next = [] }: CompareCase, path: string): object {
  const hook = node(
    'Hook',
    'webhook',
    2,
    -200,
    { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries', options: {} },
    { webhookId: path },
  );
  const order = ['Hook', nodes[0]?.name ?? '', ...next];
  const main = order.slice(1).map((to, at) => [order[at] ?? '', [[{ node: to, type: 'main', index: 0 }]]] as const);
  const attached = Object.fromEntries(
    links.map(([from, type, to, index = 0]) => [from, { [type]: [[{ node: to, type, index }]] }]),
  );
  const all = [hook, ...nodes].map((each, at) => ({ ...each, id: `n${at}`, position: [at * 200, 0] }));
  return {
    name,
    nodes: all,
    connections: { ...Object.fromEntries(main.map(([from, to]) => [from, { main: to }])), ...attached },
    settings: { executionOrder: 'v1' },
  };
}
