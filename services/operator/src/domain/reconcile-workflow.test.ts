import fc from 'fast-check';
import { conditionOf } from './conditions';
import { hasFinalizer, type WorkflowSpec } from './objects';
import { definitionWith, World, type Fault } from '../testing/world';

const NAMES = ['a', 'b', 'c'] as const;
const name = fc.constantFrom(...NAMES);
const fault = fc.constantFrom<Fault>('none', 'none', 'before', 'after', 'killed');

const spec: fc.Arbitrary<Partial<WorkflowSpec>> = fc
  .record({
    value: fc.integer({ min: 0, max: 3 }),
    active: fc.boolean(),
    // Only two objects may want the same address.
    path: fc.option(fc.constantFrom('p', 'q'), { nil: undefined }),
    credential: fc.option(fc.constant('c'), { nil: undefined }),
    isBroken: fc.constantFrom(false, false, false, true),
    deletionPolicy: fc.constantFrom('Deactivate' as const, 'Delete' as const, 'Orphan' as const),
  })
  .map(({ value, active, path, credential, isBroken, deletionPolicy }) => ({
    definition: definitionWith(value, {
      isBroken,
      ...(path === undefined ? {} : { path }),
      ...(credential === undefined ? {} : { credential }),
    }),
    active,
    deletionPolicy,
  }));

/** Something that happens. A reconciliation is what a watch event or a poll causes; lost events are those not drawn. */
type Happening = (world: World) => Promise<void> | void;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.tuple(name, spec).map<Happening>(
    ([of, given]) =>
      (world) =>
        world.apply(of, given),
  ),
  name.map<Happening>((of) => (world) => world.remove(of)),
  fc.tuple(name, fc.boolean()).map<Happening>(
    ([of, active]) =>
      (world) =>
        world.edit(of, { active }),
  ),
  name.map<Happening>((of) => (world) => world.edit(of, { definition: definitionWith(99) })),
  fc.constant<Happening>((world) => void world.credentials.add('c')),
  fc.constant<Happening>((world) => world.restart()),
  fc.tuple(name, fc.array(fault, { maxLength: 12, size: 'max' })).map<Happening>(([of, faults]) => async (world) => {
    world.faults = [...faults];
    world.now += 1_000;
    await world.reconcile(of);
    world.faults = [];
  }),
);

const happenings = fc.array(happening, { maxLength: 40, size: 'max' });

const isReady = (world: World, of: string): boolean =>
  conditionOf(world.objects.get(of)?.status?.conditions, 'Ready')?.status === 'True';

describe('reconciling workflows', () => {
  it('ends in the state that the objects describe, whatever happened before', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const world = new World();
        for (const happen of all) await happen(world);
        world.credentials.add('c');
        await world.settle();
        const keys = [...world.workflows.values()].map(({ key }) => key);
        expect(new Set(keys).size).toBe(keys.length);
        for (const [of, object] of world.objects) {
          expect(object.metadata.deletionTimestamp).toBeUndefined();
          const { definition, active } = object.spec;
          if (definition?.['isBroken'] === true) {
            expect(conditionOf(object.status?.conditions, 'Stalled')?.reason).toBe('Refused');
            continue;
          }
          const workflow = world.workflowOf(of);
          expect(hasFinalizer(object.metadata)).toBe(true);
          const isTaken = conditionOf(object.status?.conditions, 'Activated')?.reason === 'WebhookPathTaken';
          if (isTaken && workflow?.active === true) continue;
          expect(workflow?.hash).toBe(JSON.stringify(definition));
          expect(workflow?.active).toBe(active && !isTaken);
          expect(isReady(world, of)).toBe(!isTaken);
          expect(object.status?.workflowId).toBe(workflow?.id);
        }
        for (const {
          spec: { deletionPolicy },
          workflow,
        } of world.departures) {
          if (deletionPolicy === 'Delete') expect(workflow).toBeUndefined();
          if (deletionPolicy === 'Deactivate') expect(workflow?.active ?? false).toBe(false);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('removes and deactivates nothing unless its object is deleted or wants it', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const world = new World();
        for (const happen of all) await happen(world);
        await world.settle();
        for (const { action, wasDeleted, wantedActive } of world.writes) {
          if (action === 'delete') expect(wasDeleted).toBe(true);
          if (action === 'deactivate') expect(wasDeleted || !wantedActive).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('writes nothing, neither to Weft nor to objects, when both are equal', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const world = new World();
        for (const happen of all) await happen(world);
        await world.settle();
        const [writes, statusWrites] = [world.writes.length, world.statusWrites];
        await world.settle();
        world.restart();
        await world.settle();
        expect(world.writes).toHaveLength(writes);
        expect(world.statusWrites).toBe(statusWrites);
      }),
      { numRuns: 200 },
    );
  });
});
