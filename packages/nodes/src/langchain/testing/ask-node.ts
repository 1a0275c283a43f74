import type { NodeExecutor } from '@weft/engine';
import type { TestRun } from '@weft/engine/testing';
import type { ScriptStep } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { NODE_REGISTRY } from '../../executors';
import type { ModelWorld } from '../models/testing/run-model';

/** A tool with one function of its name. */
const tool: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [{ name: node.name, parameters: { type: 'object', properties: { city: { type: 'string' } } } }],
    }),
  },
  run: ({ items: [item] }) => ({
    kind: 'items',
    outputs: [[{ json: { weather: `${String(item?.json['city'])}: sunny` } }]],
  }),
};

/** A node that calls a model itself. */
export interface AskNode {
  /** Without `langchain.`. */
  readonly kind: string;
  readonly version: number;
  readonly credentialType: string;
  readonly credential: JsonObject;
  readonly parameters: JsonObject;
}

/** A workflow of the node `Ask` with a tool `weather`, on one item `{ n: 1 }`, against scripted responses. */
export function askingTest(
  world: ModelWorld,
  steps: readonly ScriptStep[],
  { kind, version, credentialType, credential, parameters }: AskNode,
): TestRun {
  world.server.play(...steps);
  world.server.seen.splice(0);
  return {
    nodes: [
      ['Start', 'start'],
      [
        'Ask',
        'ask',
        {
          type: `@n8n/n8n-nodes-langchain.${kind}`,
          typeVersion: version,
          parameters,
          credentials: { [credentialType]: { id: 'c', name: 'c' } },
        },
      ],
      ['weather', 'tool'],
    ],
    links: ['Start>Ask', 'weather>Ask@ai_tool'],
    input: [{ n: 1 }],
    kinds: KIND_TABLE,
    executors: {
      ...Object.fromEntries(NODE_REGISTRY),
      start: ({ items }) => ({
        kind: 'items',
        outputs: [items.map(({ json }, item) => ({ json, pairedItem: { item } }))],
      }),
      tool,
    },
    credential,
    streams: world.http,
    ports: { http: world.http },
    definition: { settings: {} },
  };
}

/** An answer that calls the tool `weather`. */
export const callWeather = (city: string): ScriptStep => ({
  answer: { toolCalls: [{ id: 'c1', name: 'weather', input: { city } }], usage: { input: 10, output: 5 } },
});

/** An answer with a text. */
export const say = (text: string): ScriptStep => ({ answer: { text, usage: { input: 7, output: 3 } } });
