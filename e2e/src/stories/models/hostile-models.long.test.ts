import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import { objectField, textField } from '@weft/service-kit/json';
import { readFileSync } from 'node:fs';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { createCanaries } from '../../support/canaries/canaries';
import { readEverything } from '../../support/canaries/read-everything';
import { readWholeStore } from '../../support/canaries/whole-store';
import { HOSTILE_ANSWERS } from '../../support/hostile-models/answers';
import { HOSTILE_BODIES } from '../../support/hostile-models/bodies';
import { IN_EVERY_FORMAT } from '../../support/hostile-models/every-format';
import { type RecordingHost, startHost } from '../../support/hostile-models/hostile-services';
import { credentialOf, hostileWorkflow } from '../../support/hostile-models/hostile-workflow';
import type { HostileScenario, Place } from '../../support/hostile-models/scenario';
import { HOSTILE_RESULTS } from '../../support/hostile-models/tool-results';
import { callWebhook, dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { node } from '../../support/workflows';

const SCENARIOS: readonly HostileScenario[] = [
  ...IN_EVERY_FORMAT,
  ...HOSTILE_ANSWERS.map((one) => ({ ...one, what: `an answer that ${one.what}` })),
  ...HOSTILE_BODIES.map((one) => ({ ...one, what: `in place of a response ${one.what}` })),
  ...HOSTILE_RESULTS.map((one) => ({ ...one, what: `a result of a tool that ${one.what}` })),
];
/** Hostile runs in progress at the same time. */
const AT_ONCE = 8;
const RUN_MS = 120_000;
/** The message with which a run failed. */
const errorIn = (execution: unknown): string =>
  textField(objectField(objectField(objectField(execution, 'data'), 'resultData'), 'error'), 'message') ?? 'no error';

/** Headers that have the key of a model, one in each format. */
const KEY_HEADERS = ['authorization', 'x-goog-api-key', 'x-api-key'];

describe('hostile models and tools, next to an owner whose agents are healthy', () => {
  const canaries = createCanaries();
  const toolKey = canaries.plantWord('tool');
  const models: ModelServer[] = [];
  let stack: Stack;
  let hostile: Rest;
  let healthy: ModelServer;
  let tools: RecordingHost;
  let elsewhere: RecordingHost;
  let pids: readonly number[];
  /** Data of the hostile runs, by scenario. */
  const ends = new Map<string, Readonly<Record<string, unknown>>>();

  beforeAll(async () => {
    healthy = await serveModels();
    elsewhere = await startHost('127.0.0.2', () => ({ body: '{}' }));
    tools = await startHost('127.0.0.1', (place) => {
      const reply = SCENARIOS[Number(place)]?.toolReply?.({ key: '', self: '', elsewhere: elsewhere.url });
      const { body = '{"found":"nothing"}', ...rest } = reply ?? {};
      return { ...rest, body: typeof body === 'string' ? body.replace('TOOL_KEY', toolKey) : body };
    });
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.0/8' } } });
    hostile = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'hostile-models', 'admin'));
    pids = stack.processes.map(({ pid }) => pid);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await Promise.all([...models, ...(healthy ? [healthy] : [])].map((each) => each.close()));
    await Promise.all([tools?.stop(), elsewhere?.stop()]);
  });

  const toolCredential = async (): Promise<string> =>
    textOf(
      await hostile('POST', '/credentials', {
        name: 'Tool',
        type: 'httpHeaderAuth',
        data: { name: 'x-tool-key', value: toolKey },
      }),
      'id',
    );

  /** Runs one scenario to its end. */
  const run = async (scenario: HostileScenario, number: number, toolCredentialId: string): Promise<void> => {
    const model = await serveModels();
    models.push(model);
    const place: Place = { key: canaries.plantWord(`model${number}`), self: model.url, elsewhere: elsewhere.url };
    model.play(...scenario.steps(place));
    const credentialId = textOf(await hostile('POST', '/credentials', credentialOf(scenario, place)), 'id');
    const parts = { credentialId, toolCredentialId, toolUrl: `${tools.url}/${number}` };
    const created = await hostile('POST', '/workflows', hostileWorkflow(scenario, place, parts));
    // a busy machine may refuse a start: then nothing has run
    const started = await until('a start', async () => {
      const answer = await hostile('POST', `/workflows/${textOf(created, 'id')}/execute`, {});
      return answer.status !== 503 && answer;
    });
    const path = `/executions/${textOf(started, 'executionId')}`;
    const end = await until(
      `the end of ${scenario.what}`,
      async () => {
        const execution = dataOf(await hostile('GET', path));
        return ['success', 'error', 'crashed'].includes(String(execution['status'])) && execution;
      },
      RUN_MS,
    );
    ends.set(scenario.what, end);
  };

  const storm = async (): Promise<void> => {
    const id = await toolCredential();
    const waiting = [...SCENARIOS.entries()];
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next[1], next[0], id);
      }),
    );
  };

  /** Activates an agent that adds two numbers by a tool, and returns a function that calls it. */
  const healthyAgent = async (): Promise<(n: number) => Promise<unknown>> => {
    healthy.playFor(({ body }) => {
      const text = JSON.stringify(body['messages']);
      const n = /Double (\d+)\./.exec(text)?.[1] ?? '';
      return text.includes('"tool"')
        ? { answer: { text: `Twice ${n}` } }
        : { answer: { toolCalls: [{ id: `call_${n}`, name: 'Calculator', input: { input: `2*${n}` } }] } };
    });
    const rest = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'healthy-models', 'admin'));
    const credential = await openAiCredential(rest, `${healthy.url}/v1`);
    await activate(rest, {
      name: 'Healthy',
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'healthy-agent', responseMode: 'lastNode' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: '=Double {{ $json.body.n }}.' }),
        chatModel(credential),
        modelNode('Calculator', 'toolCalculator', 1, {}),
      ],
      connections: {
        Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Calculator', 'ai_tool', 'Agent'],
        ]),
      },
    });
    return async (n) => {
      const { status, text } = await callWebhook(stack.baseUrls[0] ?? '', 'healthy-agent', { n });
      return [status, text];
    };
  };

  it('end within their limits, and no healthy run fails, is repeated or waits for them', async () => {
    const call = await healthyAgent();
    const answers: unknown[] = [];
    let isOver = false;
    const all = storm().finally(() => {
      isOver = true;
    });
    while (!isOver) answers.push(await call(answers.length));
    await all;
    expect(answers).toEqual(answers.map((_, n) => [200, `{"output":"Twice ${n}"}`]));
    expect(answers.length).toBeGreaterThan(20);
    // each run asks its model twice
    expect(healthy.seen).toHaveLength(2 * answers.length);
    expect(stack.processes.map(({ pid, hasEnded }) => [pid, hasEnded])).toEqual(pids.map((pid) => [pid, false]));
  });

  it.each(SCENARIOS.map(({ what, ends: end, shows }) => [what, end, shows] as const))(
    '%s: ends in %s',
    (what, end, shows) => {
      const execution = ends.get(what);
      const status = execution?.['status'];
      expect([what, status, status === end ? '' : errorIn(execution)]).toEqual([what, end, '']);
      if (shows !== undefined) expect(JSON.stringify(execution)).toMatch(shows);
    },
  );

  it('see each key in its one header alone', () => {
    expect(models.length).toBeGreaterThanOrEqual(60);
    const found = models.flatMap((model) =>
      model.seen.flatMap(({ headers, path, body }) => {
        const rest = Object.entries(headers).filter(([name]) => !KEY_HEADERS.includes(name));
        return canaries.findIn('a request to a model', JSON.stringify([path, rest, body]));
      }),
    );
    expect(found).toEqual([]);
    const { received } = tools;
    expect(received.length).toBeGreaterThan(20);
    for (const { headers, ...rest } of received) {
      const { 'x-tool-key': key, ...others } = headers;
      expect(key).toBe(toolKey);
      expect(canaries.findIn('a request to the tool', JSON.stringify([others, rest]))).toEqual([]);
    }
    expect(canaries.findIn('another host', JSON.stringify(elsewhere.received))).toEqual([]);
  });

  it('leave no key in responses of the API, in logs or in the database', async () => {
    const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    for (const [path, text] of [...(await readEverything(rest)), ...(await readEverything(hostile))])
      expect(canaries.findIn(path, text)).toEqual([]);
    for (const { logFile } of stack.processes) expect(canaries.findIn(logFile, readFileSync(logFile))).toEqual([]);
    const store = await readWholeStore(stack);
    expect(store.size).toBeGreaterThan(10);
    for (const [place, bytes] of store) expect(canaries.findIn(place, bytes)).toEqual([]);
  });
});
