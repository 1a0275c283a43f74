import { setTimeout as sleep } from 'node:timers/promises';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';
import { childrenOf } from '../../support/processes/child-processes';
import { EXHAUSTING } from '../../support/exhausting-workflows';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, node } from '../../support/workflows';

const CALLS = 150;
const PER_SECOND = 50;
/** Maximum calls in progress: a slower machine makes fewer per second. */
const AT_ONCE = 30;

describe('an owner next to one whose workflows exhaust whatever they run on', () => {
  let stack: Stack;
  let server: LocalServer;
  let store: mongoose.Connection;
  let theirs: Rest;
  let workflowId = '';

  beforeAll(async () => {
    server = await startLocalServer({ ok: true });
    stack = await borrowStack({
      env: { runner: { RUNNER_CODE_TIMEOUT_MS: '2000', RUNNER_SANDBOX_MB: '64' } },
    });
    store = await mongoose.createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` }).asPromise();
    theirs = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'exhausting', 'editor'));
    const healthy = chain('beside-hostile', [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'beside-hostile', responseMode: 'lastNode' }),
      node('Call', 'httpRequest', 4.2, 200, {
        method: 'POST',
        url: server.url,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ { "n": $json.body.n } }}',
        options: {},
      }),
      node('Total', 'set', 3.4, 400, {
        mode: 'raw',
        jsonOutput: "={{ { n: $('Hook').item.json.body.n } }}",
        options: {},
      }),
    ]);
    const rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    workflowId = textOf(await rest('POST', '/workflows', { ...healthy, active: true }), 'id');
  });
  afterAll(async () => {
    await store.close();
    await giveStackBack(stack);
    await server.stop();
  });

  /** Starts all workflows of the hostile owner. @returns the ids of their runs by workflow */
  const attack = async (): Promise<ReadonlyMap<string, string>> => {
    const runs = new Map<string, string>();
    for (const workflow of EXHAUSTING) {
      const id = textOf(await theirs('POST', '/workflows', workflow), 'id');
      runs.set(workflow.name, textOf(await theirs('POST', `/workflows/${id}/execute`, {}), 'executionId'));
    }
    return runs;
  };
  /** Calls at a steady rate. @returns the answers */
  const callSteadily = async (): Promise<readonly unknown[]> => {
    const answers: Promise<unknown>[] = [];
    const underWay = new Set<Promise<unknown>>();
    const begunAt = performance.now();
    for (let n = 0; n < CALLS; n += 1) {
      await sleep(Math.max(0, begunAt + (n * 1_000) / PER_SECOND - performance.now()));
      while (underWay.size >= AT_ONCE) await Promise.race(underWay);
      const call = callWebhook(stack.baseUrls[0] ?? '', 'beside-hostile', { n }).then(({ status, text }) => [
        status,
        text,
      ]);
      underWay.add(call);
      void call.finally(() => underWay.delete(call));
      answers.push(call);
    }
    return Promise.all(answers);
  };

  it('has no run that fails, is repeated or is charged, at 50 calls a second', async () => {
    const runs = await attack();
    const numbers = Array.from({ length: CALLS }, (_, n) => n);
    expect(await callSteadily()).toEqual(numbers.map((n) => [200, `{"n":${n}}`]));
    const statusOf = async (name: string) => dataOf(await theirs('GET', `/executions/${runs.get(name)}`))['status'];
    // Long-running work goes to a process where it holds up no other owner.
    const [runner] = stack.of('runner');
    await until('a process for it', async () => {
      expect(['busy', await statusOf('busy')]).toEqual(['busy', 'running']);
      return runner !== undefined && childrenOf(runner.pid, 'over-share/main.js').length > 0;
    });
    // They ran all the time.
    for (const name of ['busy', 'selector']) {
      expect([name, await statusOf(name)]).toEqual([name, 'running']);
      await theirs('POST', `/executions/${runs.get(name)}/cancel`);
    }
    for (const name of ['hungry', 'endless', 'pdf'])
      expect([
        name,
        await until(`${name} ends`, async () => (await statusOf(name)) !== 'running' && statusOf(name)),
      ]).toEqual([name, 'error']);

    const called = server.requests.map(({ body }) => (body as { n: number }).n);
    expect(called.sort((one, other) => one - other)).toEqual(numbers);
    const rows = store.collection('executions').find({ workflowId }, { batchSize: 100_000 });
    const ends = (await rows.toArray()).map(({ state, crashes }) => `${state} ${crashes}`);
    expect([ends.length, new Set(ends)]).toEqual([CALLS, new Set(['success 0'])]);
    expect(stack.processes.filter(({ hasEnded }) => hasEnded)).toEqual([]);
  });
});
