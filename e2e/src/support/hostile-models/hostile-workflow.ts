import type { ModelFormat } from '@weft/models';
import { attach, modelNode } from '../agents';
import { node, type NodeFile } from '../workflows';
import type { HostileScenario, Place } from './scenario';

/** The kind and version that speak a format, the type of their credential, and its field with the address. */
const KINDS: Readonly<Record<ModelFormat, readonly [kind: string, version: number, type: string, field: string]>> = {
  'openai-chat': ['lmChatOpenAi', 1.2, 'openAiApi', 'url'],
  'openai-responses': ['lmChatOpenAi', 1.3, 'openAiApi', 'url'],
  gemini: ['lmChatGoogleGemini', 1, 'googlePalmApi', 'host'],
  anthropic: ['lmChatAnthropic', 1.3, 'anthropicApi', 'url'],
  ollama: ['lmChatOllama', 1, 'ollamaApi', 'baseUrl'],
};

/** The body of a request that stores the credential of a scenario's model. */
export const credentialOf = ({ format = 'openai-chat' }: HostileScenario, { key, self }: Place): object => {
  const [, , type, field] = KINDS[format];
  const url = format.startsWith('openai') ? `${self}/v1` : self;
  return { name: 'Hostile', type, data: { apiKey: key, [field]: url } };
};

/** Ids and addresses that the nodes of a scenario use. */
export interface HostileParts {
  readonly credentialId: string;
  readonly toolCredentialId: string;
  readonly toolUrl: string;
}

function modelOf({ format = 'openai-chat', options }: HostileScenario, place: Place, id: string): NodeFile {
  const [kind, version, type] = KINDS[format];
  const model = format.startsWith('openai') ? { __rl: true, mode: 'id', value: 'gpt-test' } : 'test-model';
  const parameters = { model, modelName: 'models/test-model', options: options?.(place) ?? {} };
  return modelNode('Model', kind, version, parameters, { credentials: { [type]: { id, name: 'Hostile' } } });
}

/** A workflow whose root asks the hostile model, with three tools and, with a schema, a parser. */
export function hostileWorkflow(scenario: HostileScenario, place: Place, parts: HostileParts): object {
  const { root = modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Go on.' }), schema } = scenario;
  const isVendor = root.type.endsWith('.openAi');
  const takesTools = isVendor || root.type.endsWith('.agent');
  const credentials = { openAiApi: { id: parts.credentialId, name: 'Hostile' } };
  const tools = [
    node(
      'Lookup',
      'httpRequestTool',
      4.2,
      0,
      {
        url: `=${parts.toolUrl}/lookup?q={{ $fromAI('q', 'what to look up') }}`,
        authentication: 'genericCredentialType',
        genericAuthType: 'httpHeaderAuth',
        options: {},
      },
      { credentials: { httpHeaderAuth: { id: parts.toolCredentialId, name: 'Tool' } } },
    ),
    modelNode('Calculator', 'toolCalculator', 1, {}),
    modelNode('Script', 'toolCode', 1.1, { name: 'Script', description: 'Repeats.', jsCode: 'return query' }),
  ];
  return {
    name: scenario.what,
    nodes: [
      node('Start', 'manualTrigger', 1, 0),
      node('Given', 'set', 3.4, 100, { mode: 'raw', jsonOutput: JSON.stringify({ elsewhere: place.elsewhere }) }),
      isVendor ? { ...root, credentials } : root,
      ...(isVendor ? [] : [modelOf(scenario, place, parts.credentialId)]),
      ...(takesTools ? tools : []),
      ...(schema === undefined ? [] : [parserOf(schema)]),
    ],
    connections: {
      Start: { main: [[{ node: 'Given', type: 'main', index: 0 }]] },
      Given: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      ...attach([
        ...(isVendor ? [] : [['Model', 'ai_languageModel', 'Agent'] as const]),
        ...(takesTools ? tools.map(({ name }) => [name, 'ai_tool', 'Agent'] as const) : []),
        ...(schema === undefined ? [] : [['Parser', 'ai_outputParser', 'Agent'] as const]),
      ]),
    },
    settings: { executionOrder: 'v1' },
  };
}

const parserOf = (schema: object): NodeFile =>
  modelNode('Parser', 'outputParserStructured', 1.3, { schemaType: 'manual', inputSchema: JSON.stringify(schema) });
