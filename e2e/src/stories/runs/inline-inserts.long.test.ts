import { startInlineScene, type BegunRun, type InlineScene, type Path } from '../../support/inline-scene';
import type { AtSight, Sight, TappedStack } from '../../support/processes/tapped-stack';
import { until } from '../../support/until';

const ANSWERS: Readonly<Record<Path, string>> = { computes: '{"total":2}', calls: '{"ok":true}' };

describe('a replica that dies with the insert of an in-memory run', () => {
  let scene: InlineScene;
  let tapped: TappedStack;
  beforeAll(async () => {
    scene = await startInlineScene();
    ({ tapped } = scene);
  });
  afterEach(() => tapped.heal());
  afterAll(() => scene.stop());

  /** Begins a run, and waits until its insert is under way. */
  const beginInsert = async (path: Path, atSight: AtSight) => {
    let insert: Sight | undefined;
    const run = await scene.begin(path, (offer) => {
      insert = scene.insertOf(offer, atSight);
    });
    await insert?.seen;
    return { run, insert };
  };
  const expectAnswered = async (run: BegunRun, path: Path, fence: number): Promise<void> => {
    const { status, text } = await run.answer;
    expect([status, text]).toEqual([200, ANSWERS[path]]);
    const stored = await until('the end is stored', async () => {
      const found = await scene.find(run.executionId);
      return found?.state === 'success' && found;
    });
    await scene.settle(run.runner);
    expect(stored).toMatchObject({ fence, crashes: 0 });
    expect(scene.effectsOf(run.executionId)).toHaveLength(path === 'calls' ? 1 : 0);
  };
  const storedAs = (run: BegunRun, state: string) =>
    until(`it is ${state}`, async () => (await scene.find(run.executionId))?.state === state);

  it.each(['computes', 'calls'] as const)(
    'before it arrived: a run that %s is begun again under its id, and its former runner is fenced',
    async (path) => {
      const { run, insert } = await beginInsert(path, 'hold');
      expect(await scene.find(run.executionId)).toBeUndefined();
      await scene.kill('executions', run.replica);
      insert?.lose();
      await expectAnswered(run, path, 2);
    },
  );

  it.each([
    ['computes', 'success', 'its caller gets the end that is stored'],
    ['calls', 'running', 'its runner continues through another replica'],
  ] as const)('after it arrived, of a run that %s and is stored as %s: %s', async (path, state, _outcome) => {
    const { run } = await beginInsert(path, 'lose-answers');
    await storedAs(run, state);
    await scene.kill('executions', run.replica);
    await expectAnswered(run, path, 1);
  });

  it('and arrives when its runner has ended: it is taken up as any run without a runner', async () => {
    const { run, insert } = await beginInsert('calls', 'hold');
    // No process is left that would send the start again.
    await Promise.all([0, 1].map((index) => scene.kill('gateway', index)));
    await expect(run.answer).rejects.toThrow();
    await scene.kill('executions', run.replica);
    await scene.kill('runner', run.runner);
    expect(scene.effectsOf(run.executionId)).toEqual([]);
    insert?.release();
    await storedAs(run, 'success');
    expect(await scene.find(run.executionId)).toMatchObject({ fence: 2, crashes: 0 });
    expect(scene.effectsOf(run.executionId)).toHaveLength(1);
  });

  it('after the barrier, with the runner: it continues elsewhere with the same keys; a wait is no crash', async () => {
    const sink = scene.closeSink();
    const run = await scene.begin('calls');
    await until('its lease is that of any run', async () => {
      const found = await scene.find(run.executionId);
      return found?.state === 'running' && found.lease?.ms === undefined;
    });
    await until('it acts', async () => scene.effectsOf(run.executionId).length === 1);
    await until('its wait is stored', async () => (await scene.find(run.executionId))?.lease?.waits === true);
    await Promise.all([scene.kill('runner', run.runner), scene.kill('executions', run.replica)]);
    sink.open();
    expect(await run.answer).toMatchObject({ status: 200, text: ANSWERS.calls });
    await storedAs(run, 'success');
    expect(await scene.find(run.executionId)).toMatchObject({ fence: 2, crashes: 0 });
    const [first, ...more] = scene.effectsOf(run.executionId);
    expect(more).toEqual([first]);
  });

  it('with its end stored and its answer not sent: the caller gets that end, and nothing runs again', async () => {
    let answer: Sight | undefined;
    const run = await scene.begin('computes', ({ executionId, replica }) => {
      answer = tapped.watch(
        ({ from, to, isAnswer, text }) =>
          from.service === 'gateway' && to.index === replica && isAnswer && text.includes(executionId),
        'hold',
      );
    });
    await answer?.seen;
    await storedAs(run, 'success');
    await scene.kill('executions', run.replica);
    answer?.lose();
    await expectAnswered(run, 'computes', 1);
  });

  it('leaves no run that acted and is not stored', async () => {
    const actors = scene.actors();
    const stored = await tapped.find({ _id: { $in: actors } });
    expect(stored.map(({ _id }) => _id).sort()).toEqual([...actors].sort());
  });
});
