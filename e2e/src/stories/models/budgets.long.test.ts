import { borrowStack, giveStackBack, SERVICES, type Stack } from '@weft/local-stack';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { activate, attach, chatModel, modelNode } from '../../support/agents';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { bodyOf, serve, type StandIn } from '../../support/stand-ins/serve';
import { startTraceReceiver, type ReceivedSpan, type TraceReceiver } from '../../support/stand-ins/trace-receiver';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const LIMIT = 10_000;
const PRICES = { 'gpt-t*': { input: 2, output: 10 } };
const SECRET = 'sk-budget-0123456789';

/** A model that calls the tool `Look` once, and then answers, at 1,000 tokens for each response. */
const answer = (messages: readonly { readonly role: string }[]): object => {
  const isToldOf = messages.some(({ role }) => role === 'tool');
  const call = { id: 'call-1', type: 'function', function: { name: 'Look', arguments: '{"n":1}' } };
  return {
    id: 'chatcmpl-1',
    model: 'gpt-test-2026',
    choices: [
      {
        index: 0,
        finish_reason: isToldOf ? 'stop' : 'tool_calls',
        message: isToldOf
          ? { role: 'assistant', content: `I looked, with ${SECRET}.` }
          : { role: 'assistant', content: null, tool_calls: [call] },
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1_000 },
  };
};

describe('budgets of models', () => {
  let stack: Stack;
  let rest: Rest;
  let server: StandIn;
  let receiver: TraceReceiver;
  let calls = 0;
  beforeAll(async () => {
    receiver = await startTraceReceiver();
    server = await serve((request, response) => void respond(request, response));
    const all = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACES_PERCENT: '0', OTEL_BSP_SCHEDULE_DELAY: '200' };
    const runner = {
      ...all,
      OUTBOUND_ALLOW: '127.0.0.1',
      MODEL_TOKENS_PER_DAY: String(LIMIT),
      MODEL_PRICES: JSON.stringify(PRICES),
      TRACE_MODEL_CONTENT: 'true',
    };
    stack = await borrowStack({ env: { ...Object.fromEntries(SERVICES.map((name) => [name, all])), runner } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
    await receiver?.stop();
  });

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url !== '/v1/chat/completions') {
      response.end('{"seen":true}');
      return;
    }
    calls += 1;
    const sent: { readonly messages: readonly { readonly role: string }[] } = JSON.parse(body);
    response.end(JSON.stringify(answer(sent.messages)));
  };

  /** An agent with a tool, of a new project, at a webhook that returns its answer. */
  const project = async (path: string): Promise<string> => {
    const projectId = textOf(await rest('POST', '/projects', { name: path }), 'id');
    const data = { apiKey: SECRET, url: `${server.url}/v1` };
    const stored = await rest('POST', '/credentials', { name: 'Models', type: 'openAiApi', data, projectId });
    await activate(rest, {
      name: path,
      projectId,
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Look.' }),
        chatModel(textOf(stored, 'id')),
        node('Look', 'httpRequestTool', 4.2, 0, { url: `=${server.url}/look?n={{ $fromAI('n', 'N', 'number') }}` }),
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Look', 'ai_tool', 'Agent'],
        ]),
      },
    });
    return projectId;
  };
  const run = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    callWebhook(stack.baseUrls[0] ?? '', path, {}, headers);

  it('show what an execution used and cost, and its trace shows each call', async () => {
    const projectId = await project('budget-shown');
    const traceId = randomBytes(16).toString('hex');
    const response = await run('budget-shown', { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` });
    expect(response.status).toBe(200);
    const used = { calls: 2, inputTokens: 1_800, outputTokens: 200, totalTokens: 2_000, cost: 0.0056 };
    const id = response.headers.get('x-weft-execution-id') ?? '';
    expect(dataOf(await rest('GET', `/executions/${id}?includeData=false`))).toMatchObject({ modelUsage: used });
    expect(listOf(await rest('GET', `/executions?projectId=${projectId}`))).toMatchObject([{ id, modelUsage: used }]);

    const spans = await until('the spans of the run have arrived', async () => {
      const found = receiver.spansOf(traceId);
      return found.some(({ name }) => name === 'run execution') && found;
    });
    const named = (name: string): readonly ReceivedSpan[] => spans.filter((span) => span.name === name);
    const [agent, ...otherAgents] = named('invoke_agent Agent');
    expect(otherAgents).toEqual([]);
    expect(agent?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Agent',
      'gen_ai.usage.input_tokens': 1_800,
      'gen_ai.usage.output_tokens': 200,
    });
    expect(agent?.parentSpanId).toBe(named('run execution')[0]?.spanId);
    const [chat, second] = named('chat gpt-test');
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'compatible',
      'gen_ai.request.model': 'gpt-test',
      'gen_ai.response.model': 'gpt-test-2026',
      'gen_ai.response.id': 'chatcmpl-1',
      'gen_ai.usage.input_tokens': 900,
      'gen_ai.usage.output_tokens': 100,
      'server.address': '127.0.0.1',
    });
    expect(String(second?.attributes['gen_ai.input.messages'])).toContain('"tool_call_response"');
    const [tool] = named('execute_tool Look');
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Look',
      'gen_ai.tool.call.id': 'call-1',
      'gen_ai.tool.call.arguments': '{"n":1}',
    });
    expect(tool?.parentSpanId).toBe(agent?.spanId);
    expect(receiver.received().toString('latin1')).not.toContain(SECRET);
  });

  it('end the day of an owner who has used all tokens, and of no other one', async () => {
    await project('budget-hostile');
    await project('budget-healthy');
    calls = 0;
    const responses = await Promise.all(Array.from({ length: 40 }, () => run('budget-hostile')));
    const refused = responses.filter(({ status }) => status === 500);
    expect(refused.length).toBeGreaterThanOrEqual(30);
    // A call is counted by its estimate until it is over.
    expect(calls).toBeLessThanOrEqual(2 * (LIMIT / 1_000) + 40);
    const before = calls;
    const late = await run('budget-hostile');
    expect([late.status, calls]).toEqual([500, before]);
    const id = late.headers.get('x-weft-execution-id') ?? '';
    const failed = await rest('GET', `/executions/${id}`);
    expect(failed.text).toContain('MODEL_TOKENS_PER_DAY');
    expect(failed.text).toMatch(/The next day begins at 20\d\d-/);
    expect((await run('budget-healthy')).status).toBe(200);
  });
});
