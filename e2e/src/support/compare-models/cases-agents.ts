import { modelNode } from '../agents';
import { node } from '../workflows';
import { call, type CompareCase, gpt, json, root, rootCase, say, shout } from './case';

const ASK = { promptType: 'define', text: '=Say hello to {{ $json.body.name ?? "the world" }}.' };
const agent = (version: number, over: object = {}) => root('agent', version, { ...ASK, options: {}, ...over });
/** Before version 1.8 the kind of agent is a parameter. */
const tools = (version: number): object => (version < 1.8 ? { agent: 'toolsAgent' } : {});
const SHOUT = ['ai_tool', shout] as const;
const calls = call(['Shout', { input: 'hello' }]);
const memory = modelNode('Memory', 'memoryBufferWindow', 1.3, {
  sessionIdType: 'customKey',
  sessionKey: 'one',
  contextWindowLength: 5,
});
const parser = modelNode('Parser', 'outputParserStructured', 1.3, {
  schemaType: 'manual',
  inputSchema: JSON.stringify({
    type: 'object',
    properties: { city: { type: 'string' }, people: { type: 'number' } },
    required: ['city', 'people'],
  }),
});
const broken = modelNode('Broken', 'toolCode', 1.1, {
  name: 'Broken',
  description: 'Fails.',
  jsCode: 'throw new Error("The service is closed")',
});

const FAILS = 'the node fails in every version; n8n before 3 gives a sentence as the answer';

const VERSIONS = [1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 3, 3.1];
const LATEST = [1.9, 2.2, 3.1];

export const AGENT_CASES: readonly CompareCase[] = [
  ...VERSIONS.flatMap((version) => [
    rootCase(`agent ${version}: an answer`, agent(version, tools(version)), [say('Hello!')], { sub: [SHOUT] }),
    rootCase(`agent ${version}: a call of a tool`, agent(version, tools(version)), [calls, say('HELLO it is.')], {
      sub: [SHOUT],
    }),
  ]),
  ...LATEST.flatMap((version): CompareCase[] => [
    rootCase(
      `agent ${version}: system message, steps and two calls at once`,
      agent(version, { options: { systemMessage: 'Be brief.', returnIntermediateSteps: true } }),
      [call(['Shout', { input: 'a' }], ['Shout', { input: 'b' }]), say('Done.')],
      { sub: [SHOUT] },
    ),
    rootCase(
      `agent ${version}: a memory over two calls`,
      agent(version),
      [say('Hello Ann.'), calls, say('HELLO again.')],
      {
        sub: [SHOUT, ['ai_memory', memory]],
        bodies: [{ name: 'Ann' }, { name: 'Bob' }],
        ...(version < 3 ? {} : { intended: { runs: 'the memory is read once; n8n 3 reads it before each step' } }),
      },
    ),
    rootCase(
      `agent ${version}: a parser`,
      agent(version, { hasOutputParser: true }),
      [call(['format_final_json_response', { output: { city: 'Paris', people: 2 } }])],
      { sub: [SHOUT, ['ai_outputParser', parser]], hasOwnPrompts: true },
    ),
    rootCase(
      `agent ${version}: a tool that fails`,
      agent(version),
      [call(['Broken', { input: 'a' }]), say('It is closed.')],
      { sub: [['ai_tool', broken]], intended: { requests: 'other words for the failure' } },
    ),
    rootCase(`agent ${version}: too many iterations`, agent(version, { options: { maxIterations: 2 } }), [calls], {
      sub: [SHOUT],
      ...(version < 3 ? { intended: { items: FAILS, runs: FAILS } } : {}),
    }),
    {
      name: `agent ${version}: two items and a node after it`,
      nodes: [
        node('Two', 'code', 2, 0, { jsCode: 'return [{ json: { n: 1 } }, { json: { n: 2 } }]' }),
        agent(version, { text: '=Number {{ $json.n }}.' }),
        gpt(),
        shout,
        node('After', 'set', 3.4, 0, {
          mode: 'raw',
          jsonOutput: '={{ { said: $json.output, n: $("Two").item.json.n } }}',
          options: {},
        }),
      ],
      links: [
        ['Model', 'ai_languageModel', 'Root'],
        ['Shout', 'ai_tool', 'Root'],
      ],
      next: ['Root', 'After'],
      steps: [say('One.'), say('Two.')],
    },
  ]),
  rootCase(
    'agent 3.1: a second model after the first one fails',
    agent(3.1, { needsFallback: true }),
    [{ error: { status: 404, message: 'No such model', code: 'model_not_found' } }, say('From the second.')],
    {
      nodes: [agent(3.1, { needsFallback: true }), gpt({ maxRetries: 0 }), gpt({}, 'Second')],
      links: [
        ['Model', 'ai_languageModel', 'Root'],
        ['Second', 'ai_languageModel', 'Root', 1],
      ],
    },
  ),
  rootCase(
    'agent 3.1: continues after an error',
    { ...agent(3.1), onError: 'continueRegularOutput' },
    [{ error: { status: 400, message: 'Not like this' } }],
    { intended: { items: 'the sentence of the service in place of a general one' } },
  ),
  rootCase('agent 2.2: an answer with JSON', agent(2.2), [json({ a: 1 })]),
];
