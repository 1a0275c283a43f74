import { conditionOf } from './conditions';
import { ADOPT, type ConditionType } from './objects';
import { definitionWith, World } from '../testing/world';

const setUp = (): World => new World();

const textOf = (world: World, name: string, type: ConditionType): string => {
  const condition = conditionOf(world.objects.get(name)?.status?.conditions, type);
  return condition === undefined ? 'absent' : `${condition.status} ${condition.reason}`;
};

describe('a workflow object', () => {
  it('is created active, with its webhooks in the status, and has an event', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1, { path: 'orders' }) });
    await world.reconcile('a');
    expect(world.writes.map(({ action }) => action)).toEqual(['create']);
    expect(textOf(world, 'a', 'Ready')).toBe('True Active');
    expect(world.objects.get('a')?.status).toMatchObject({
      observedGeneration: 1,
      active: true,
      webhooks: [{ method: 'POST', url: 'https://weft.example.org/webhook/orders' }],
    });
    expect(world.events.map(({ reason }) => reason)).toEqual(['Applied']);
  });

  it('that is refused leaves the former version active', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1) });
    await world.reconcile('a');
    world.apply('a', { definition: definitionWith(2, { isBroken: true }) });
    await world.reconcile('a');
    expect(world.workflowOf('a')).toMatchObject({ active: true, hash: JSON.stringify(definitionWith(1)) });
    expect([textOf(world, 'a', 'Stalled'), textOf(world, 'a', 'Synced')]).toEqual(['True Refused', 'False Refused']);
    expect(world.objects.get('a')?.status?.conditions?.[0]?.message).toContain('nodes[0].type: is unknown.');
  });

  it('that is suspended while it is reconciled changes nothing', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1) });
    const asWatched = world.objects.get('a');
    world.apply('a', { definition: definitionWith(2), suspend: true });
    await world.reconcile('a', asWatched);
    expect(world.writes).toEqual([]);
  });

  it('that is deleted deactivates a workflow that was activated in Weft since the last poll', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1), active: false });
    await world.reconcile('a');
    world.edit('a', { active: true });
    world.remove('a');
    await world.reconcile('a');
    expect([world.objects.has('a'), world.workflowOf('a')?.active]).toEqual([false, false]);
  });

  it('that continues with an orphaned workflow cleans it up, even if it was never written since', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1), deletionPolicy: 'Orphan' });
    await world.reconcile('a');
    world.remove('a');
    await world.reconcile('a');
    world.apply('b', { definition: definitionWith(2, { path: 'q' }) });
    await world.reconcile('b');
    world.apply('a', { definition: definitionWith(2, { path: 'q' }) });
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Activated')).toBe('False WebhookPathTaken');
    world.remove('a');
    await world.reconcile('a');
    expect(world.workflowOf('a')?.active).toBe(false);
  });

  it('that is inactive says that its credential exists once it does', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1, { credential: 'c' }), active: false });
    await world.reconcile('a');
    expect(textOf(world, 'a', 'CredentialsResolved')).toBe('False Missing');
    world.credentials.add('c');
    await world.reconcile('a');
    expect(textOf(world, 'a', 'CredentialsResolved')).toBe('True Resolved');
  });

  it('waits two minutes for a credential, then says that it is missing, and continues once it exists', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1, { credential: 'c' }) });
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Reconciling')).toBe('True WaitingForReferences');
    world.now += 119_000;
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Stalled')).toBe('absent');
    world.now += 2_000;
    await world.reconcile('a');
    expect([textOf(world, 'a', 'Reconciling'), textOf(world, 'a', 'Stalled')]).toEqual([
      'absent',
      'True ReferenceMissing',
    ]);
    expect(textOf(world, 'a', 'CredentialsResolved')).toBe('False Missing');
    expect(world.writes).toEqual([]);
    world.credentials.add('c');
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Ready')).toBe('True Active');
  });

  it('whose ConfigMap does not exist waits for it', async () => {
    const world = setUp();
    world.apply('a', { definitionFrom: { configMapKeyRef: { name: 'm', key: 'k' } } });
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Reconciling')).toBe('True WaitingForReferences');
  });

  it.each([
    ['Revert', 1, 'True Active', ['Applied', 'Reverted']],
    ['Warn', 99, 'False Drifted', ['Applied']],
  ] as const)(
    'with driftPolicy %s treats a change in Weft as its policy says',
    async (driftPolicy, value, ready, events) => {
      const world = setUp();
      world.apply('a', { definition: definitionWith(1), driftPolicy });
      await world.reconcile('a');
      world.edit('a', { definition: definitionWith(99) });
      world.restart();
      await world.reconcile('a');
      expect(world.workflowOf('a')?.hash).toBe(JSON.stringify(definitionWith(value)));
      expect(textOf(world, 'a', 'Ready')).toBe(ready);
      expect(world.events.map(({ reason }) => reason)).toEqual(events);
    },
  );

  it('with driftPolicy Warn stays as it is after someone deactivated the workflow', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1), driftPolicy: 'Warn' });
    await world.reconcile('a');
    world.edit('a', { active: false });
    await world.settle();
    expect(world.workflowOf('a')?.active).toBe(false);
    expect(textOf(world, 'a', 'Synced')).toBe('False Drifted');
  });

  it('never takes over a workflow with its key, except with the annotation', async () => {
    const world = setUp();
    const id = world.plant('a', definitionWith(5));
    world.apply('a', { definition: definitionWith(1) });
    await world.reconcile('a');
    expect([textOf(world, 'a', 'Stalled'), world.writes.length]).toEqual(['True KeyTaken', 0]);
    world.annotate('a', { [ADOPT]: 'true' });
    await world.reconcile('a');
    expect(textOf(world, 'a', 'Ready')).toBe('True Active');
    expect(world.objects.get('a')?.status?.workflowId).toBe(id);
  });

  it('is stored inactive while another workflow has its address, and activated once it is free', async () => {
    const world = setUp();
    world.hasOldChecks = true;
    world.apply('a', { definition: definitionWith(1, { path: 'p' }) });
    world.apply('b', { definition: definitionWith(2, { path: 'p' }) });
    await world.reconcile('a');
    await world.reconcile('b');
    expect(textOf(world, 'b', 'Activated')).toBe('False WebhookPathTaken');
    expect(world.workflowOf('b')?.active).toBe(false);
    world.remove('a');
    await world.settle();
    expect(textOf(world, 'b', 'Ready')).toBe('True Active');
    expect(world.workflowOf('b')?.active).toBe(true);
  });

  it('that is suspended changes nothing, not even when it is deleted', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1) });
    await world.reconcile('a');
    world.apply('a', { definition: definitionWith(2), suspend: true });
    await world.reconcile('a');
    expect(world.objects.get('a')?.status?.observedGeneration).toBe(2);
    world.remove('a');
    await world.reconcile('a');
    expect(world.objects.has('a')).toBe(false);
    expect(world.workflowOf('a')).toMatchObject({ active: true, hash: JSON.stringify(definitionWith(1)) });
  });

  it('continues with the same workflow when it is applied again after its deletion', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1) });
    await world.settle();
    const id = world.workflowOf('a')?.id;
    world.remove('a');
    await world.settle();
    expect(world.workflowOf('a')).toMatchObject({ id, active: false });
    world.apply('a', { definition: definitionWith(1) });
    await world.settle();
    expect(world.workflowOf('a')).toMatchObject({ id, active: true });
  });

  it('is let go after ten minutes in which Weft does not answer, with a warning that names what remains', async () => {
    const world = setUp();
    world.apply('a', { definition: definitionWith(1) });
    await world.settle();
    world.remove('a');
    world.restart();
    const tryAgain = async (): Promise<boolean> => {
      world.faults = ['before'];
      await world.reconcile('a');
      world.faults = [];
      return world.objects.has('a');
    };
    world.now += 599_000;
    expect(await tryAgain()).toBe(true);
    world.now += 2_000;
    world.startedAt = world.now - 1_000;
    expect(await tryAgain()).toBe(true);
    world.startedAt = 0;
    expect(await tryAgain()).toBe(false);
    expect(world.events.at(-1)).toMatchObject({ type: 'Warning', reason: 'Abandoned' });
    expect(world.events.at(-1)?.message).toContain(world.workflowOf('a')?.id ?? 'none');
  });

  it.each([
    [{ kind: 'unavailable', message: 'Down.' }, 'Reconciling', 'True WeftUnavailable'],
    [{ kind: 'limited', message: 'Slow.', retryAfterMs: 7_000 }, 'Reconciling', 'True RateLimited'],
    [{ kind: 'no-key', message: 'No key.' }, 'Synced', 'False NoKey'],
    [{ kind: 'forbidden', message: 'No.' }, 'Stalled', 'True Forbidden'],
    [{ kind: 'too-large', message: 'Big.' }, 'Synced', 'False TooLarge'],
    [{ kind: 'too-old', message: 'Old.' }, 'Stalled', 'True WeftTooOld'],
  ] as const)('shows the failure %j', async (failure, type, text) => {
    const world = setUp();
    world.failure = failure;
    world.apply('a', { definition: definitionWith(1) });
    world.faults = ['none', 'before'];
    await world.reconcile('a');
    world.faults = ['before'];
    await world.reconcile('a');
    expect(textOf(world, 'a', type)).toBe(text);
  });
});
