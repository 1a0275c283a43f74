import { startStack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { killRunner, QUICK_RECOVERY } from '../../support/processes/kill';
import { callWebhook, restClient, textOf, type Rest } from '../../support/rest';
import { serve, type StandIn } from '../../support/stand-ins/serve';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const TOOLS = [1, 2, 3, 4] as const;

describe('four calls of tools at the same time, whose runner is killed', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let tools: StandIn;
  /** Numbers of the tools that were called, in order. */
  const called: number[] = [];
  /** Tools that respond. */
  let responding = new Set<number>();

  beforeAll(async () => {
    models = await serveModels();
    models.playFor(({ body }) => {
      if (JSON.stringify(body['messages']).includes('"tool"')) return { answer: { text: 'All four are done.' } };
      return { answer: { toolCalls: TOOLS.map((n) => ({ id: `call_${n}`, name: `Tool${n}`, input: { n } })) } };
    });
    tools = await serve((request, response) => {
      const tool = Number(request.url?.split('/').at(-1));
      request.resume();
      called.push(tool);
      if (responding.has(tool))
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ done: `result-${tool}` }));
    });
    stack = await startStack({ env: QUICK_RECOVERY });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    await activate(rest, {
      name: 'Killed in parallel',
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'parallel-kills', responseMode: 'onReceived' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Use all tools.' }),
        chatModel(credential),
        ...TOOLS.map((n) =>
          node(`Tool${n}`, 'httpRequestTool', 4.2, 0, {
            method: 'POST',
            url: `=${tools.url}/tool/{{ $fromAI('n', 'The number', 'number') }}`,
            options: {},
          }),
        ),
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ...TOOLS.map((n) => [`Tool${n}`, 'ai_tool', 'Agent'] as const),
        ]),
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await Promise.all([models?.close(), tools?.stop()]);
  });

  it.each([[[1, 2]], [[2, 4]], [[4]], [[]], [[1, 2, 3]]])(
    'after the calls %j have ended makes only the others once more',
    async (ended) => {
      called.length = 0;
      const asked = models.seen.length;
      responding = new Set(ended);
      const { headers } = await callWebhook(stack.baseUrls[0] ?? '', 'parallel-kills', {});
      const path = `/executions/${headers.get('x-weft-execution-id') ?? ''}`;
      await until('all calls are made', () => Promise.resolve(called.length === TOOLS.length));
      await until('the ended calls are stored', async () => {
        const { text } = await rest('GET', path);
        return ended.every((tool) => text.includes(`result-${tool}`));
      });
      responding = new Set(TOOLS);
      await killRunner(stack);
      await until('the run has ended', async () =>
        ['success', 'error', 'crashed'].includes(textOf(await rest('GET', path), 'status')),
      );
      const { text } = await rest('GET', path);
      expect(text).toContain('All four are done.');
      const inFlight = TOOLS.filter((tool) => !ended.includes(tool));
      expect(called.toSorted()).toEqual([...TOOLS, ...inFlight].toSorted());
      // The request for the calls, and the one with their results: neither was repeated.
      expect(models.seen.length - asked).toBe(2);
      const results = JSON.stringify(models.last().body['messages']);
      for (const tool of TOOLS) expect(results.split(`result-${tool}`)).toHaveLength(2);
    },
  );
});
