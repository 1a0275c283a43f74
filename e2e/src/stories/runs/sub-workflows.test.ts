import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const set = (name: string, x: number, field: string, value: string): NodeFile =>
  node(name, 'set', 3.4, x, {
    mode: 'manual',
    includeOtherFields: true,
    options: {},
    assignments: { assignments: [{ id: field, name: field, type: 'number', value }] },
  });

const chain = (
  name: string,
  nodes: readonly NodeFile[],
  settings: Readonly<Record<string, unknown>> = {},
): WorkflowFile => ({
  name,
  nodes,
  settings,
  connections: connect(
    Object.fromEntries(nodes.slice(1).map((one, index) => [nodes[index]?.name ?? '', [[one.name]]])),
  ),
});

const called = (...nodes: readonly NodeFile[]): WorkflowFile =>
  chain('called', [node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }), ...nodes]);
const items = node('Items', 'splitOut', 1, 100, { fieldToSplitOut: 'list', options: {} });
const caller = (
  parameters: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
): WorkflowFile =>
  chain('caller', [
    node('Start', 'manualTrigger', 1, 0),
    items,
    node('Call', 'executeWorkflow', 1.2, 200, parameters, extra),
    node('After', 'noOp', 1, 400),
  ]);

const LIST = { list: [{ n: 1 }, { n: 2 }, { n: 3 }] };

describe('workflows that call workflows', () => {
  let stack: Stack;
  let rest: Rest;
  let server: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer({ ok: true });
    stack = await borrowStack({
      replicas: 2,
      env: {
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
        runner: { RUNNER_SLOTS: '2', WAIT_IN_PROCESS_MS: '0' },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  const store = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', workflow), 'id');
  const begin = async (workflowId: string, data: object = LIST): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, { data }), 'executionId');
  const read = async (id: string) => dataOf(await rest('GET', `/executions/${id}`));
  const ended = (id: string, limitMs = 20_000) =>
    until(
      `execution ${id} ends`,
      async () => {
        const execution = await read(id);
        return execution['status'] !== 'running' && execution['status'] !== 'waiting' && execution;
      },
      limitMs,
    );
  const runsOf = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
  /** JSON of the output of a node of an execution. */
  const given = (execution: Readonly<Record<string, unknown>>, name: string): unknown => {
    const found: {
      data?: {
        resultData?: { runData?: Record<string, { data?: { main?: { json: unknown }[][] } }[]> };
        runData?: Record<string, { data?: { main?: { json: unknown }[][] } }[]>;
      };
    } = JSON.parse(JSON.stringify(execution));
    const runData = found.data?.resultData?.runData ?? found.data?.runData ?? {};
    return runData[name]?.at(-1)?.data?.main?.[0]?.map(({ json }) => json);
  };
  const run = async (workflow: WorkflowFile, data: object = LIST) => ended(await begin(await store(workflow), data));

  it.each([
    ['all runs', 1.2, {}, [1, 2, 3, 1, 2, 3]],
    ['all runs, if it says so,', 1.1, { returnOutput: 'allRuns' }, [1, 2, 3, 1, 2, 3]],
    ['the last run', 1.1, {}, [1, 2, 3]],
  ])('return the items of %s of the last node, whichever node preceded it', async (_, version, parameters, numbers) => {
    const ending = (resume: object): WorkflowFile => ({
      name: 'ends twice',
      nodes: [
        node('Called', 'executeWorkflowTrigger', version, 0, { inputSource: 'passthrough', ...parameters }),
        node('Pause', 'wait', 1.1, 100, { resume: 'timeInterval', unit: 'seconds', ...resume }),
        node('A', 'noOp', 1, 200),
        node('B', 'noOp', 1, 200),
        node('Last', 'noOp', 1, 400),
      ],
      connections: connect({ Called: [['Pause']], Pause: [['A', 'B']], A: [['Last']], B: [['Last']] }),
      settings: {},
    });
    for (const amount of [0, 2]) {
      const found = await run(caller({ workflowId: await store(ending({ amount })) }));
      expect(given(found, 'Call')).toEqual(numbers.map((n) => ({ n })));
    }
  });

  it('return what the called workflow makes of all items, or of each', async () => {
    const child = await store(called(set('Double', 200, 'twice', '={{ $json.n * 2 }}')));
    const all = [1, 2, 3].map((n) => ({ n, twice: 2 * n }));
    expect(given(await run(caller({ workflowId: { __rl: true, mode: 'list', value: child } })), 'After')).toEqual(all);
    expect(await runsOf(child)).toHaveLength(1);
    expect(given(await run(caller({ workflowId: child, mode: 'each' })), 'After')).toEqual(all);
    expect((await runsOf(child)).map((execution) => execution['status'])).toEqual([
      'success',
      'success',
      'success',
      'success',
    ]);
  });

  it('call a workflow that they carry themselves, and another one in turn', async () => {
    const inner = await store(called(set('Add', 200, 'n', '={{ $json.n + 100 }}')));
    const outer = called(node('Call on', 'executeWorkflow', 1.2, 200, { workflowId: inner, mode: 'each' }));
    expect(given(await run(caller({ source: 'parameter', workflowJson: JSON.stringify(outer) })), 'After')).toEqual(
      [101, 102, 103].map((n) => ({ n })),
    );
  });

  it('wait for one that waits, without a slot, and continue with its result', async () => {
    const child = await store(
      called(
        node('Pause', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 2, unit: 'seconds' }),
        set('Later', 400, 'later', '={{ $json.n }}'),
      ),
    );
    const parent = await store(caller({ workflowId: child, mode: 'each' }));
    // More than there are slots: if callers kept theirs while they wait, everything would stop.
    const ids = await Promise.all(Array.from({ length: 6 }, () => begin(parent, { list: [{ n: 1 }, { n: 2 }] })));
    for (const id of ids)
      expect(given(await ended(id, 60_000), 'After')).toEqual([
        { n: 1, later: 1 },
        { n: 2, later: 2 },
      ]);
    expect(await runsOf(child)).toHaveLength(12);
  });

  it('continue at once if they are not to wait', async () => {
    const child = await store(
      called(
        node('Tell', 'httpRequest', 4.2, 200, {
          method: 'POST',
          url: server.url,
          sendBody: true,
          specifyBody: 'json',
          jsonBody: '={{ { "told": $json.n } }}',
          options: {},
        }),
      ),
    );
    const execution = await run(caller({ workflowId: child, options: { waitForSubWorkflow: false } }));
    expect(given(execution, 'After')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await until('the calls', async () => server.requests.length === 3);
    expect(await runsOf(child)).toHaveLength(1);
  });

  it('fail with the error of the called one, and name its execution', async () => {
    const child = await store(called(node('Stop', 'stopAndError', 1, 200, { errorMessage: 'no more' })));
    const execution = await run(caller({ workflowId: child }));
    expect(execution['status']).toBe('error');
    const [failed] = await runsOf(child);
    expect(JSON.stringify(execution['error'] ?? execution['data'])).toContain('no more');
    expect(JSON.stringify(execution)).toContain(String(failed?.['id']));
    const goesOn = await run(caller({ workflowId: child, mode: 'each' }, { onError: 'continueRegularOutput' }));
    expect(given(goesOn, 'After')).toEqual([{ error: 'no more' }, { error: 'no more' }, { error: 'no more' }]);
  });

  it('end what they called when they are cancelled', async () => {
    const child = await store(
      called(node('Pause', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 10, unit: 'minutes' })),
    );
    const id = await begin(await store(caller({ workflowId: child })));
    await until('the caller waits', async () => (await read(id))['status'] === 'waiting');
    const [running] = await runsOf(child);
    expect(running?.['status']).toBe('waiting');
    expect((await rest('DELETE', `/executions/${id}`)).status).toBe(200);
    const cancelled = await ended(String(running?.['id']));
    expect(cancelled['status']).toBe('error');
  });

  it('start at their call trigger when a user runs them, with the data as item', async () => {
    const child = await store(called(set('Double', 200, 'twice', '={{ $json.n * 2 }}')));
    expect(given(await ended(await begin(child, { n: 4 })), 'Double')).toEqual([{ n: 4, twice: 8 }]);
  });

  it('both end once when their runner is killed in the middle of the called one', async () => {
    const before = server.requests.length;
    const tell = (name: string, x: number): NodeFile =>
      node(name, 'httpRequest', 4.2, x, {
        method: 'POST',
        url: server.url,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: `={{ { "step": "${name}" } }}`,
        options: {},
      });
    const slow = node('Slow', 'code', 2, 300, {
      jsCode: 'const end = Date.now() + 2500; while (Date.now() < end); return $input.all();',
    });
    const child = await store(called(tell('First', 200), slow, tell('Last', 400)));
    const id = await begin(await store(caller({ workflowId: child })), { list: [{ n: 1 }] });
    // The request is sent again if the runner dies before it has stored that it was sent.
    await until('the first request is stored', async () => {
      const [called] = await runsOf(child);
      return called !== undefined && given(await read(String(called['id'])), 'First') !== undefined;
    });
    const runners = stack.of('runner');
    for (const runner of runners) runner.kill('SIGKILL');
    await Promise.all(runners.map((runner) => runner.restart()));
    const execution = await ended(id, 60_000);
    expect(execution['status']).toBe('success');
    const runs = await runsOf(child);
    expect(runs.map((one) => one['status'])).toEqual(['success']);
    const steps = server.requests.slice(before).map(({ body }) => JSON.stringify(body));
    expect(steps).toEqual(['{"step":"First"}', '{"step":"Last"}']);
  });
});
