import { type MadeModelCall, type ModelCall, NodeFailure, type StepOutcome, type TracedNode } from '@weft/engine';
import { type RequestContext, withContext } from '@weft/service-kit/context';
import { registry } from '@weft/service-kit/metrics';
import type { ActiveSpan, beginPart, SpanAttributes } from '@weft/service-kit/tracing';
import { endAgentSpans, withinAgent } from './agent-spans';
import { createModelObserver } from './model-spans';

interface Noted {
  readonly name: string;
  readonly parent: string;
  readonly kind: string;
  readonly attributes: Record<string, SpanAttributes[string]>;
  ended: string | undefined;
}

/** Records spans by name, in the order in which they began. */
const recorder = () => {
  const spans: Noted[] = [];
  const span = (name: string, parent: string, kind: string, attributes: SpanAttributes = {}): ActiveSpan => {
    const noted: Noted = { name, parent, kind, attributes: { ...attributes }, ended: undefined };
    spans.push(noted);
    return {
      traceparent: name,
      isRecorded: true,
      note: (more) => void Object.assign(noted.attributes, more),
      rename: () => undefined,
      end: (failure = 'ok') => void (noted.ended ??= failure),
    };
  };
  const begin: typeof beginPart = (context, { name, kind, attributes }) =>
    span(name, context?.span?.traceparent ?? '', kind, attributes);
  return { spans, begin, run: span('run execution', '', 'consumer') };
};

const CALL: ModelCall = {
  operation: 'chat',
  provider: 'openai',
  model: 'gpt-x',
  baseUrl: 'https://models.example/v1',
  estimatedTokens: 5,
  request: {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: `The key is KEY. ${'x'.repeat(3_000)}` },
    ],
    settings: { temperature: 0.5, maxTokens: 100, stop: ['END'] },
  },
};
const MADE: MadeModelCall<string> = {
  result: 'fine',
  response: {
    usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
    model: 'gpt-x-1',
    id: 'r1',
    finish: 'stop',
    message: { role: 'assistant', content: 'KEY it is' },
  },
};
const masked = (json: object) => JSON.parse(JSON.stringify(json).replaceAll('KEY', '***'));

const observed = async (
  tracesContent: boolean,
  perform: () => Promise<MadeModelCall<string>> = async () => MADE,
  isTraced = true,
) => {
  const { spans, begin, run } = recorder();
  const observer = createModelObserver({ patternOf: () => 'gpt-*', tracesContent, begin });
  const context: RequestContext = { requestId: 'r', ...(isTraced ? { span: run } : {}) };
  const result = await withContext(context, () => observer.call(CALL, perform, masked)).catch(
    (error: unknown) => error,
  );
  return { spans: spans.slice(1), result };
};

const metric = async (name: string, labels: string): Promise<number> => {
  const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name}{${labels}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('the span of a call of a model', () => {
  it('has the request and the response in the terms of OpenTelemetry, and no contents', async () => {
    const { spans, result } = await observed(false);
    expect(result).toBe(MADE);
    expect(spans).toEqual([
      {
        name: 'chat gpt-x',
        parent: 'run execution',
        kind: 'client',
        ended: 'ok',
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-x',
          'gen_ai.request.temperature': 0.5,
          'gen_ai.request.max_tokens': 100,
          'gen_ai.request.stop_sequences': ['END'],
          'server.address': 'models.example',
          'server.port': 443,
          'gen_ai.response.model': 'gpt-x-1',
          'gen_ai.response.id': 'r1',
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 10,
          'gen_ai.usage.output_tokens': 2,
        },
      },
    ]);
  });

  it('has contents where the operator wants them: masked and bounded', async () => {
    const { spans } = await observed(true);
    const { attributes } = spans[0] ?? {};
    const input = String(attributes?.['gen_ai.input.messages']);
    expect(JSON.parse(input)).toMatchObject([
      { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
      { role: 'user', parts: [{ content: expect.stringMatching(/^The key is \*\*\*\. x+…$/) }] },
    ]);
    expect(input.length).toBeLessThan(2_300);
    expect(JSON.parse(String(attributes?.['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: '*** it is' }], finish_reason: 'stop' },
    ]);
  });

  it('ends with the reason of a failure', async () => {
    const failure = new NodeFailure('Too many', { context: { modelError: 'RATE_LIMITED', status: 429 } });
    const { spans, result } = await observed(false, () => Promise.reject(failure));
    expect([spans[0]?.ended, result]).toEqual(['rate_limited', failure]);
  });

  it('does not exist for a run that is not traced', async () => {
    expect(await observed(true, undefined, false)).toEqual({ spans: [], result: MADE });
  });
});

describe('metrics of models', () => {
  it('count tokens by the pattern of the price file, durations, failures and limits', async () => {
    const labels = 'provider="openai",model="gpt-*",direction="input"';
    const before = await metric('weft_model_tokens_total', labels);
    const failed = await metric('weft_model_call_failures_total', 'reason="unreachable"');
    await observed(false);
    await observed(false, () => Promise.reject(new NodeFailure('x', { context: { code: 'CONNECTION_REFUSED' } })));
    expect(await metric('weft_model_tokens_total', labels)).toBe(before + 10);
    expect(await metric('weft_model_call_failures_total', 'reason="unreachable"')).toBe(failed + 1);
    expect(await metric('weft_model_call_seconds_count', 'provider="openai",operation="chat",outcome="error"')).toBe(
      failed + 2,
    );
    expect(await metric('weft_model_limits_total', 'limit="MODEL_TOKENS_PER_DAY"')).toBe(0);
  });
});

describe('the spans of an agent', () => {
  const setUp = (tracesContent = false) => {
    const { spans, begin, run } = recorder();
    const context = { requestId: 'r', span: run };
    const step = (node: TracedNode, outcome: StepOutcome): Promise<StepOutcome> =>
      withContext(context, () =>
        withinAgent(
          context,
          node,
          async () => outcome,
          (result) => result,
          { tracesContent, begin },
        ),
      );
    return { spans, run, step };
  };
  const agent: TracedNode = { name: 'A', kind: 'langchain.agent', run: 0 };
  const call = { id: 'c1', tool: 'look', input: { n: 1 }, root: { node: 'A', runIndex: 0 } };
  const shownOf = (spans: readonly Noted[]) => spans.slice(1).map(({ name, parent, ended }) => [name, parent, ended]);

  it('last over its steps, with its calls and the agents that it calls below', async () => {
    const { spans, step } = setUp();
    await step(agent, { kind: 'continues' });
    await step({ name: 'Tool', kind: 'httpRequestTool', run: 0, call }, { kind: 'error' });
    const inner: TracedNode = { name: 'B', kind: 'langchain.agentTool', run: 0, call };
    await step(inner, { kind: 'continues' });
    const nested = { ...call, root: { node: 'B', runIndex: 0 } };
    await step({ name: 'Tool', kind: 'httpRequestTool', run: 1, call: nested }, { kind: 'success' });
    await step(inner, { kind: 'success' });
    await step(agent, { kind: 'success', usage: { inputTokens: 7, outputTokens: 3 } });
    expect(shownOf(spans)).toEqual([
      ['invoke_agent A', 'run execution', 'ok'],
      ['execute_tool look', 'invoke_agent A', 'error'],
      ['invoke_agent B', 'invoke_agent A', 'ok'],
      ['execute_tool look', 'invoke_agent B', 'ok'],
    ]);
    expect(spans[1]?.attributes).toMatchObject({ 'gen_ai.agent.name': 'A', 'gen_ai.usage.input_tokens': 7 });
  });

  it('end with the attempt of the run, and other nodes have none', async () => {
    const { spans, run, step } = setUp();
    await step({ name: 'Set', kind: 'set', run: 0 }, { kind: 'success' });
    await step(agent, { kind: 'continues' });
    expect(shownOf(spans)).toEqual([['invoke_agent A', 'run execution', undefined]]);
    endAgentSpans(run);
    expect(shownOf(spans)).toEqual([['invoke_agent A', 'run execution', 'ok']]);
  });

  it('have arguments and results where the operator wants them', async () => {
    const { spans, step } = setUp(true);
    const tool: TracedNode = { name: 'Tool', kind: 'httpRequestTool', run: 0, call };
    await step(tool, { kind: 'success', output: [{ text: 'y'.repeat(3_000) }] });
    expect(spans[1]?.attributes).toMatchObject({
      'gen_ai.tool.call.arguments': '{"n":1}',
      'gen_ai.tool.call.result': expect.stringMatching(/^\[\{"text":"y{2000}…"\}\]$/),
    });
  });
});
