import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { restClient } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';
import { callScene, called, caller, set } from '../../support/sub-workflows';

describe('workflows that call workflows, with few slots at two runners,', () => {
  let stack: Stack;
  let server: LocalServer;
  let scene: ReturnType<typeof callScene>;
  beforeAll(async () => {
    server = await startLocalServer({ ok: true });
    stack = await borrowStack({
      replicas: 2,
      env: {
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
        runner: { RUNNER_SLOTS: '2', WAIT_IN_PROCESS_MS: '0' },
      },
    });
    scene = callScene(restClient(stack.baseUrls[0] ?? '', stack.apiKey));
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

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
      const found = await scene.run(caller({ workflowId: await scene.store(ending({ amount })) }));
      expect(scene.given(found, 'Call')).toEqual(numbers.map((n) => ({ n })));
    }
  });

  it('wait for one that waits, without a slot, and continue with its result', async () => {
    const child = await scene.store(
      called(
        node('Pause', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 2, unit: 'seconds' }),
        set('Later', 400, 'later', '={{ $json.n }}'),
      ),
    );
    const parent = await scene.store(caller({ workflowId: child, mode: 'each' }));
    // More than there are slots: if callers kept theirs while they wait, everything would stop.
    const ids = await Promise.all(Array.from({ length: 6 }, () => scene.begin(parent, { list: [{ n: 1 }, { n: 2 }] })));
    for (const id of ids)
      expect(scene.given(await scene.ended(id, 60_000), 'After')).toEqual([
        { n: 1, later: 1 },
        { n: 2, later: 2 },
      ]);
    expect(await scene.runsOf(child)).toHaveLength(12);
  });

  it('end what they called when they are cancelled', async () => {
    const child = await scene.store(
      called(node('Pause', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 10, unit: 'minutes' })),
    );
    const id = await scene.begin(await scene.store(caller({ workflowId: child })));
    await until('the caller waits', async () => (await scene.read(id))['status'] === 'waiting');
    const [running] = await scene.runsOf(child);
    expect(running?.['status']).toBe('waiting');
    expect((await scene.rest('DELETE', `/executions/${id}`)).status).toBe(200);
    const cancelled = await scene.ended(String(running?.['id']));
    expect(cancelled['status']).toBe('error');
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
    const child = await scene.store(called(tell('First', 200), slow, tell('Last', 400)));
    const id = await scene.begin(await scene.store(caller({ workflowId: child })), { list: [{ n: 1 }] });
    // The request is sent again if the runner dies before it has stored that it was sent.
    await until('the first request is stored', async () => {
      const [called] = await scene.runsOf(child);
      return called !== undefined && scene.given(await scene.read(String(called['id'])), 'First') !== undefined;
    });
    const runners = stack.of('runner');
    for (const runner of runners) runner.kill('SIGKILL');
    await Promise.all(runners.map((runner) => runner.restart()));
    const execution = await scene.ended(id, 60_000);
    expect(execution['status']).toBe('success');
    const runs = await scene.runsOf(child);
    expect(runs.map((one) => one['status'])).toEqual(['success']);
    const steps = server.requests.slice(before).map(({ body }) => JSON.stringify(body));
    expect(steps).toEqual(['{"step":"First"}', '{"step":"Last"}']);
  });
});
