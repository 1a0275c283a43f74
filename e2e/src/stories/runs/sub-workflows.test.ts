import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { restClient } from '../../support/rest';
import { until } from '../../support/until';
import { node } from '../../support/workflows';
import { callScene, called, caller, set } from '../../support/sub-workflows';

describe('workflows that call workflows', () => {
  let stack: Stack;
  let server: LocalServer;
  let scene: ReturnType<typeof callScene>;
  beforeAll(async () => {
    server = await startLocalServer({ ok: true });
    stack = await borrowStack();
    scene = callScene(restClient(stack.baseUrls[0] ?? '', stack.apiKey));
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  it('return what the called workflow makes of all items, or of each', async () => {
    const child = await scene.store(called(set('Double', 200, 'twice', '={{ $json.n * 2 }}')));
    const all = [1, 2, 3].map((n) => ({ n, twice: 2 * n }));
    expect(
      scene.given(await scene.run(caller({ workflowId: { __rl: true, mode: 'list', value: child } })), 'After'),
    ).toEqual(all);
    expect(await scene.runsOf(child)).toHaveLength(1);
    expect(scene.given(await scene.run(caller({ workflowId: child, mode: 'each' })), 'After')).toEqual(all);
    expect((await scene.runsOf(child)).map((execution) => execution['status'])).toEqual([
      'success',
      'success',
      'success',
      'success',
    ]);
  });

  it('call a workflow that they carry themselves, and another one in turn', async () => {
    const inner = await scene.store(called(set('Add', 200, 'n', '={{ $json.n + 100 }}')));
    const outer = called(node('Call on', 'executeWorkflow', 1.2, 200, { workflowId: inner, mode: 'each' }));
    expect(
      scene.given(await scene.run(caller({ source: 'parameter', workflowJson: JSON.stringify(outer) })), 'After'),
    ).toEqual([101, 102, 103].map((n) => ({ n })));
  });

  it('continue at once if they are not to wait', async () => {
    const child = await scene.store(
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
    const execution = await scene.run(caller({ workflowId: child, options: { waitForSubWorkflow: false } }));
    expect(scene.given(execution, 'After')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    await until('the calls', async () => server.requests.length === 3);
    expect(await scene.runsOf(child)).toHaveLength(1);
  });

  it('fail with the error of the called one, and name its execution', async () => {
    const child = await scene.store(called(node('Stop', 'stopAndError', 1, 200, { errorMessage: 'no more' })));
    const execution = await scene.run(caller({ workflowId: child }));
    expect(execution['status']).toBe('error');
    const [failed] = await scene.runsOf(child);
    expect(JSON.stringify(execution['error'] ?? execution['data'])).toContain('no more');
    expect(JSON.stringify(execution)).toContain(String(failed?.['id']));
    const goesOn = await scene.run(caller({ workflowId: child, mode: 'each' }, { onError: 'continueRegularOutput' }));
    expect(scene.given(goesOn, 'After')).toEqual([{ error: 'no more' }, { error: 'no more' }, { error: 'no more' }]);
  });

  it('start at their call trigger when a user runs them, with the data as item', async () => {
    const child = await scene.store(called(set('Double', 200, 'twice', '={{ $json.n * 2 }}')));
    expect(scene.given(await scene.ended(await scene.begin(child, { n: 4 })), 'Double')).toEqual([{ n: 4, twice: 8 }]);
  });
});
