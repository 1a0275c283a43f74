import { startStack, type Stack } from '@weft/local-stack';
import { serveModels, type ModelServer } from '@weft/models/testing';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { killAndRestart } from '../../support/processes/kill';
import { callWebhook, restClient, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const KEY = 'sk-canary-0123456789abcdef';
const MEMORY_KEY = { memoryKey: { __rl: true, mode: 'id', value: 'handbook' } };

describe('documents of a workflow', () => {
  let stack: Stack;
  let rest: Rest;
  let services: ModelServer;

  beforeAll(async () => {
    services = await serveModels();
    stack = await startStack({
      env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' }, runner: { OUTBOUND_ALLOW: '127.0.0.1' } },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${services.url}/v1`, KEY);
    const hook = (name: string, path: string) =>
      node(name, 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' });
    await activate(rest, {
      name: 'Handbook',
      nodes: [
        hook('Add', 'retrieval-add'),
        modelNode('Insert', 'vectorStoreInMemory', 1.3, { mode: 'insert', ...MEMORY_KEY }),
        modelNode('Loader', 'documentDefaultDataLoader', 1.1, {
          jsonMode: 'expressionData',
          jsonData: '={{ $json.body.text }}',
        }),
        modelNode(
          'Embeddings',
          'embeddingsOpenAi',
          1.2,
          {},
          { credentials: { openAiApi: { id: credential, name: 'Models' } } },
        ),
        hook('Ask', 'retrieval-ask'),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: '={{ $json.body.question }}' }),
        chatModel(credential),
        modelNode('Documents', 'vectorStoreInMemory', 1.3, {
          mode: 'retrieve-as-tool',
          toolDescription: 'Searches the handbook.',
          topK: 1,
          ...MEMORY_KEY,
        }),
      ],
      connections: {
        Add: { main: [[{ node: 'Insert', type: 'main', index: 0 }]] },
        Ask: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Loader', 'ai_document', 'Insert'],
          ['Model', 'ai_languageModel', 'Agent'],
          ['Documents', 'ai_tool', 'Agent'],
        ]),
        Embeddings: {
          ai_embedding: [['Insert', 'Documents'].map((name) => ({ node: name, type: 'ai_embedding', index: 0 }))],
        },
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await services?.close();
  });

  const add = (text: string) => callWebhook(stack.baseUrls[0] ?? '', 'retrieval-add', { text });

  it('are found by an agent after all runners have restarted', async () => {
    expect((await add('zebras are striped')).status).toBe(200);
    expect((await add('moon cheese')).status).toBe(200);
    await Promise.all(stack.of('runner').map(killAndRestart));
    services.play(
      { answer: { toolCalls: [{ id: 'c1', name: 'Documents', input: { input: 'striped zebra' } }] } },
      { answer: { text: 'They are striped.' } },
    );
    let answer = '';
    await until('the agent has answered', async () => {
      const { status, text } = await callWebhook(stack.baseUrls[0] ?? '', 'retrieval-ask', { question: 'Zebras?' });
      answer = text;
      return status === 200;
    });
    expect(answer).toContain('They are striped.');
    const prompt = JSON.stringify(services.last().body);
    expect(prompt).toContain('zebras are striped');
    expect(prompt).not.toContain('moon cheese');
    expect(prompt).not.toContain(KEY);
  });
});
