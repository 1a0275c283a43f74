import { modelNode } from '../agents';
import { call, type CompareCase, gpt, modelOf, root, rootCase, say, shout } from './case';

const LLM = root('chainLlm', 1.7, { promptType: 'define', text: 'Hello?' });
const agent = root('agent', 3.1, {
  promptType: 'define',
  text: 'Shout hello.',
  options: { systemMessage: 'Be brief.' },
});
const MODEL = { __rl: true, mode: 'id', value: 'gpt-4o' };

const models = [
  ['lmChatOpenAi 1', modelOf('lmChatOpenAi', 1, 'openAiApi', { model: 'gpt-4o', options: {} })],
  [
    'lmChatOpenAi 1.2 with options',
    gpt({ temperature: 0.2, topP: 0.9, maxTokens: 50, frequencyPenalty: 0.1, responseFormat: 'text' }),
  ],
  ['lmChatOpenAi 1.3', modelOf('lmChatOpenAi', 1.3, 'openAiApi', { model: MODEL, options: {} })],
  [
    'lmChatOpenAi 1.3 without responses',
    modelOf('lmChatOpenAi', 1.3, 'openAiApi', {
      model: MODEL,
      responsesApiEnabled: false,
      options: { temperature: 0.5 },
    }),
  ],
  [
    'lmChatAnthropic 1.3',
    modelOf('lmChatAnthropic', 1.3, 'anthropicApi', {
      model: { __rl: true, mode: 'id', value: 'claude-sonnet-4-5' },
      options: { maxTokensToSample: 500 },
    }),
  ],
  [
    'lmChatGoogleGemini 1',
    modelOf('lmChatGoogleGemini', 1, 'googlePalmApi', {
      modelName: 'models/gemini-2.5-flash',
      options: { temperature: 0.4, maxOutputTokens: 99 },
    }),
  ],
  [
    'lmChatOllama 1',
    modelOf('lmChatOllama', 1, 'ollamaApi', { model: 'llama3.2', options: { temperature: 0.4, numCtx: 4096 } }),
  ],
] as const;

const intendedFor = (name: string): Pick<CompareCase, 'intended'> =>
  name === 'lmChatOpenAi 1.3'
    ? { intended: { requests: 'store: false, so that the service stores no responses' } }
    : {};

/** Kinds of models, in a chain and in an agent. */
export const MODEL_CASES: readonly CompareCase[] = [
  ...models.flatMap(([name, model]) => [
    rootCase(`${name} in a chain`, LLM, [say('Hello!')], { model, ...intendedFor(name) }),
    rootCase(`${name} in an agent`, agent, [call(['Shout', { input: 'hello' }]), say('HELLO.')], {
      model,
      sub: [['ai_tool', shout]],
      ...intendedFor(name),
    }),
  ]),
  {
    name: 'a chat with an agent and a memory',
    nodes: [
      modelNode('Root', 'agent', 2.2, { promptType: 'define', text: '={{ $json.body.chatInput }}', options: {} }),
      gpt(),
      modelNode('Memory', 'memoryBufferWindow', 1.3, {
        sessionIdType: 'customKey',
        sessionKey: '={{ $json.body.sessionId }}',
        contextWindowLength: 1,
      }),
    ],
    links: [
      ['Model', 'ai_languageModel', 'Root'],
      ['Memory', 'ai_memory', 'Root'],
    ],
    steps: [say('One.'), say('Two.'), say('Three.')],
    bodies: [
      { chatInput: 'First', sessionId: 'one' },
      { chatInput: 'Second', sessionId: 'one' },
      { chatInput: 'Third', sessionId: 'one' },
    ],
  },
];
