import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { until } from '../../support/until';
import { set, waitScene } from '../../support/waiting-runs';
import { node, type NodeFile } from '../../support/workflows';

/** Waits up to this length stay in the runner. */
const IN_PROCESS_MS = 4_000;

describe('a run that waits, whatever ends meanwhile,', () => {
  let stack: Stack;
  let scene: ReturnType<typeof waitScene>;
  let target: LocalServer;

  beforeAll(async () => {
    target = await startLocalServer({ ok: true });
    stack = await borrowStack({
      env: {
        executions: { LEASE_MS: '2000', SWEEP_MS: '300' },
        runner: { WAIT_IN_PROCESS_MS: String(IN_PROCESS_MS), DRAIN_MS: '10000' },
      },
    });
    scene = waitScene(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await target?.stop();
  });

  const killAll = async (): Promise<void> => {
    for (const each of stack.processes) each.kill('SIGKILL');
    await Promise.all(stack.processes.map((each) => each.ended));
    await Promise.all(stack.processes.map((each) => each.restart()));
  };

  it('for longer is stored, and woken when its time has come', async () => {
    const at = Date.now() + IN_PROCESS_MS + 1_500;
    const id = await scene.execute('long', [
      node('Start', 'manualTrigger', 1, 0),
      node('Wait', 'wait', 1.1, 200, { resume: 'specificTime', dateTime: new Date(at).toISOString() }),
      set('End', 400, { n: '={{ $json.n }}' }),
    ]);
    await scene.reaches(id, 'waiting');
    await scene.reaches(id, 'success');
    expect(Date.now()).toBeGreaterThanOrEqual(at);
    expect(await scene.lastItem(id, 'End')).toEqual({ n: '1' });
  });

  it('survives the death of every process, whatever it waits for', async () => {
    const ask = (): NodeFile => set('Ask', 200, { url: '={{ $execution.resumeUrl }}' });
    const forCall = await scene.execute('call', [
      node('Start', 'manualTrigger', 1, 0),
      ask(),
      node('Wait', 'wait', 1.1, 400, { resume: 'webhook', httpMethod: 'POST' }),
      set('End', 600, { got: '={{ $json.body.n }}' }),
    ]);
    const forLimit = await scene.execute('limit', [
      node('Start', 'manualTrigger', 1, 0),
      ask(),
      node('Wait', 'wait', 1.1, 400, {
        resume: 'webhook',
        limitWaitTime: true,
        resumeAmount: 2,
        resumeUnit: 'seconds',
      }),
      set('End', 600, { url: '={{ $json.url }}' }),
    ]);
    await Promise.all([scene.reaches(forCall, 'waiting'), scene.reaches(forLimit, 'waiting')]);
    const url = JSON.parse(JSON.stringify(await scene.lastItem(forCall, 'Ask'))).url;
    await killAll();
    await scene.reaches(forLimit, 'success');
    expect(await scene.lastItem(forLimit, 'End')).toEqual(await scene.lastItem(forLimit, 'Ask'));
    expect(await scene.post(url, { n: 9 })).toMatchObject({ status: 200, text: '{"message":"Workflow was started"}' });
    await scene.reaches(forCall, 'success');
    expect(await scene.lastItem(forCall, 'End')).toEqual({ got: '9' });
  });

  const napping = (): readonly NodeFile[] => [
    node('Start', 'manualTrigger', 1, 0),
    node('Tell', 'httpRequest', 4.2, 200, {
      method: 'POST',
      url: target.url,
      sendBody: true,
      specifyBody: 'json',
      jsonBody: '{}',
      options: {},
    }),
    node('Wait', 'wait', 1.1, 400, { amount: 3, unit: 'seconds' }),
    set('End', 600, { done: 'yes' }),
  ];
  const asleep = async (name: string): Promise<{ id: string; told: number }> => {
    const told = target.requests.length;
    const id = await scene.execute(name, napping());
    // The run is stored before it sleeps: the effect of Tell is visible then.
    await until('the run sleeps', async () => (await scene.lastItem(id, 'Tell')) !== undefined);
    expect([target.requests.length, await scene.statusOf(id)]).toEqual([told + 1, 'running']);
    return { id, told: told + 1 };
  };

  it('does nothing twice when its runner dies in the middle of a short wait', async () => {
    const { id, told } = await asleep('crash');
    const [runner] = stack.of('runner');
    runner?.kill('SIGKILL');
    await runner?.ended;
    await runner?.restart();
    await scene.reaches(id, 'success');
    expect([target.requests.length, await scene.lastItem(id, 'End')]).toEqual([told, { done: 'yes' }]);
  });

  it('continues to wait in the store when its runner is stopped, which does not wait for it', async () => {
    const { id, told } = await asleep('drain');
    const [runner] = stack.of('runner');
    runner?.kill('SIGTERM');
    await scene.reaches(id, 'waiting');
    await runner?.restart();
    await scene.reaches(id, 'success');
    expect([target.requests.length, await scene.lastItem(id, 'End')]).toEqual([told, { done: 'yes' }]);
  });

  it('can be cancelled by its deletion, asleep or stored', async () => {
    const { id } = await asleep('gone');
    const stored = await scene.execute('gone too', [
      node('Start', 'manualTrigger', 1, 0),
      node('Wait', 'wait', 1, 200),
    ]);
    await scene.reaches(stored, 'waiting');
    for (const each of [id, stored]) {
      expect((await scene.rest('DELETE', `/executions/${each}`)).status).toBe(200);
      expect((await scene.rest('GET', `/executions/${each}`)).status).toBe(404);
    }
  });
});
