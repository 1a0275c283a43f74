import { startStack, type Stack } from '@weft/local-stack';
import { connectOAuth, type OAuthScene } from '../../support/oauth-scene';
import { dataOf, textOf } from '../../support/rest';
import { until } from '../../support/until';

const RUNS = 200;
const PARALLEL = 40;
/** Shorter than half of the life of a first token, after which it is refreshed. */
const FIRST_LIFE_S = 4;

const inParallel = async (count: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next; index < count; index = next) {
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
};

// A real OAuth 2 server that accepts each refresh token once.
describe('three runners that use one credential', () => {
  let stack: Stack;
  let scene: OAuthScene;

  beforeAll(async () => {
    stack = await startStack({
      replicas: { gateway: 1, workflows: 1, executions: 2, credentials: 2, runner: 3 },
      env: {
        runner: { OUTBOUND_ALLOW: '127.0.0.1' },
        credentials: { RATE_LIMIT_PER_MINUTE: '0', PASSWORD_COST: '4' },
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
      },
    });
    scene = await connectOAuth(stack);
  });
  afterAll(async () => {
    await stack?.stop();
    await scene?.server.stop();
  });

  const expire = () => new Promise((resolve) => setTimeout(resolve, (FIRST_LIFE_S * 1_000) / 2 + 100));
  const start = async (): Promise<string> =>
    textOf(await scene.owner('POST', `/workflows/${scene.workflowId}/execute`, {}), 'executionId');
  const ended = (id: string): Promise<string> =>
    until(`run ${id} ends`, async () => {
      const execution = await scene.owner('GET', `/executions/${id}`);
      return /^(?:success|error)$/.test(String(dataOf(execution)['status'])) && execution.text;
    });

  it('finish 200 runs with one refresh', async () => {
    await scene.server.setLife(FIRST_LIFE_S);
    await scene.signIn();
    await scene.server.setLife(3_600);
    await expire();
    const ids: string[] = [];
    await inParallel(RUNS, async () => void ids.push(await start()));
    const outcomes: string[] = [];
    await inParallel(RUNS, async (index) => void outcomes.push(await ended(ids[index] ?? '')));
    expect(outcomes.filter((text) => text.includes('"status":"success"'))).toHaveLength(RUNS);
    expect(await scene.server.counts()).toMatchObject({ refreshes: 1, refused: 0 });
  });

  it('end in a sentence, and not in a hang, if every runner is killed between the response and the store', async () => {
    await scene.server.setLife(FIRST_LIFE_S);
    await scene.signIn();
    await scene.server.setLife(3_600);
    await expire();
    const { refreshes } = await scene.server.counts();
    await scene.server.hold();
    const ids = await Promise.all([start(), start(), start()]);
    await until('the server has replaced the token', async () => (await scene.server.counts()).refreshes > refreshes);
    const runners = stack.of('runner');
    for (const runner of runners) runner.kill('SIGKILL');
    await scene.server.release();
    await Promise.all(runners.map((runner) => runner.restart()));
    const outcomes = await Promise.all(ids.map(ended));
    for (const text of outcomes) expect(text).toContain('needs a user to sign in');
    expect(await scene.credential()).toMatchObject({
      login: 'needsLogin',
      loginMessage: expect.stringContaining('interrupted before its response was stored'),
    });
    await scene.signIn();
    expect(await ended(await start())).toContain('"status":"success"');
  });
});
