import { startInlineScene, type BegunRun, type InlineScene } from '../../support/inline-scene';
import { callWebhook, restClient, type RestAnswer } from '../../support/rest';
import type { Sight, TappedStack } from '../../support/processes/tapped-stack';
import { until } from '../../support/until';

describe('a run that is held in memory', () => {
  let scene: InlineScene;
  let tapped: TappedStack;
  beforeAll(async () => {
    scene = await startInlineScene();
    ({ tapped } = scene);
  });
  afterEach(() => tapped.heal());
  afterAll(() => scene.stop());

  /** Holds the offer of the next run, so that its runner does not have it. */
  const holdOffer = (): Sight =>
    tapped.watch(({ to, isAnswer, text }) => to.name === 'nats' && isAnswer && text.includes(' awaited '), 'hold');
  /** On a slow machine the next runner may end the run after its caller timed out: then the answer names the run. */
  const expectOneEffect = async ({ executionId }: BegunRun, answer: RestAnswer, fence: number): Promise<void> => {
    if (answer.status === 503) expect(answer.json.error?.details).toMatchObject({ executionId });
    else expect([answer.status, answer.text]).toEqual([200, '{"ok":true}']);
    await until('the run ends', async () => (await scene.find(executionId))?.state === 'success');
    expect(scene.effectsOf(executionId)).toHaveLength(1);
    expect(await scene.find(executionId)).toMatchObject({ state: 'success', fence, crashes: 0 });
  };
  /** A run at its barrier: its runner has asked to have it stored, and neither that nor any insert arrives. */
  const beginAtBarrier = async () => {
    let insert: Sight | undefined;
    let persist: Sight | undefined;
    const run = await scene.begin('calls', (offer) => {
      insert = scene.insertOf(offer, 'hold');
      persist = scene.writeOf(offer, 'hold');
    });
    await persist?.seen;
    expect(await scene.find(run.executionId)).toBeUndefined();
    expect(scene.effectsOf(run.executionId)).toEqual([]);
    return { run, insert };
  };

  it('is one run, and one effect, for an idempotency key that comes to two gateways at once', async () => {
    const before = new Set(scene.actors());
    for (let round = 0; round < 25; round += 1) {
      const key = `twice-${round}`;
      const answers = await Promise.all(
        [...tapped.stack.baseUrls, ...tapped.stack.baseUrls].map((baseUrl) =>
          callWebhook(baseUrl, 'calls', { n: round }, { 'idempotency-key': key }),
        ),
      );
      expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, '{"ok":true}']));
    }
    const actors = scene.actors().filter((id) => !before.has(id));
    expect(actors).toHaveLength(25);
    const stored = await tapped.find({ _id: { $in: actors } });
    expect(new Set(stored.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(25);
    expect(actors.map((id) => scene.effectsOf(id).length)).toEqual(actors.map(() => 1));
  });

  it('leaves nothing behind if its replica dies before a runner has the offer, and no other one is there', async () => {
    const offer = holdOffer();
    let insert: Sight | undefined;
    const { stack } = tapped;
    const rest = restClient(stack.baseUrls[1] ?? '', stack.apiKey);
    const run = await scene.begin(
      'calls',
      (made) => {
        insert = scene.insertOf(made, 'hold');
      },
      () =>
        rest('POST', `/workflows/${scene.workflowIds.calls}/execute`, { startNode: 'Webhook', data: {}, wait: true }),
    );
    const other = 1 - run.replica;
    await Promise.all([0, 1].map((index) => scene.kill('executions', index)));
    insert?.lose();
    const { status, json } = await run.answer;
    expect([status, json.error?.details?.['executionId']]).toEqual([503, run.executionId]);

    await stack.of('executions')[other]?.restart();
    offer.release();
    await scene.settle(run.runner);
    expect([await scene.find(run.executionId), scene.effectsOf(run.executionId)]).toEqual([undefined, []]);
  });

  it('runs elsewhere if its runner dies before it has the offer', async () => {
    holdOffer();
    const run = await scene.begin('calls');
    await scene.kill('runner', run.runner);
    await expectOneEffect(run, await run.answer, 1);
  });

  it('is stored when its time is over, and continues elsewhere, if its runner died', async () => {
    const { run, insert } = await beginAtBarrier();
    await scene.kill('runner', run.runner);
    insert?.release();
    await expectOneEffect(run, await run.answer, 2);
  });

  it('never was if its replica dies: the start is made again under its id, and fences the runner', async () => {
    const { run, insert } = await beginAtBarrier();
    const runner = tapped.stack.of('runner')[run.runner];
    const sink = scene.closeSink();
    // The runner is frozen, and gets nothing from the queue.
    runner?.kill('SIGSTOP');
    tapped.brokerOf(run.runner).setMode({ kind: 'reset' });
    await scene.kill('executions', run.replica);
    insert?.lose();
    await until('the other runner acts', async () => scene.effectsOf(run.executionId).length > 0);
    const asked = scene.askOf(run);
    runner?.kill('SIGCONT');
    await asked.seen;
    sink.open();
    const answer = await run.answer;
    tapped.brokerOf(run.runner).setMode({ kind: 'pass' });
    await scene.settle(run.runner);
    await expectOneEffect(run, answer, 2);
  });

  it('is dropped by its runner, and continues elsewhere, if nothing connects that to its replica', async () => {
    const { run, insert } = await beginAtBarrier();
    const refused = scene.refusedElsewhere(run);
    tapped.runnersTo(run.replica).setMode({ kind: 'reset' });
    await refused;
    insert?.release();
    await expectOneEffect(run, await run.answer, 2);
  });

  it('acts on the outside only if it is stored', async () => {
    const actors = scene.actors();
    const stored = await tapped.find({ _id: { $in: actors } });
    expect(stored.map(({ _id }) => _id).sort()).toEqual([...actors].sort());
  });
});
