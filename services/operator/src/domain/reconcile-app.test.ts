import fc from 'fast-check';
import { conditionOf } from './conditions';
import type { AppSourceFact, AppWrite, ListedApp } from './decide-app';
import { Failed } from './failures';
import { ADOPT, FINALIZER, type AppSpec, type AppStatus, type Metadata, type WeftApp } from './objects';
import { reconcileApp, type AppPorts } from './reconcile-app';

type Fault = 'none' | 'before' | 'after';

/** An object with an app, the apps of an instance, and calls that can fail before or after their effect. */
class World {
  now = Date.parse('2026-11-30T00:00:00Z');
  object: WeftApp | undefined;
  /** Digest of the text of the object; undefined: its ConfigMap is missing. */
  text: string | undefined = '1';
  name = 'erp';
  faults: Fault[] = [];
  isUsed = false;
  isInvalid = false;
  /** Is called before the next write has its effect. */
  beforeWrite: (() => void) | undefined;
  statusWrites = 0;
  readonly apps = new Map<string, string>();
  readonly writes: AppWrite['action'][] = [];
  readonly events: string[] = [];

  constructor(spec: Partial<AppSpec> = {}, annotations: Record<string, string> = {}) {
    const creationTimestamp = new Date(this.now).toISOString();
    const identity = { name: 'erp', namespace: 'n', uid: 'u', resourceVersion: '1', generation: 1 };
    this.object = {
      metadata: { ...identity, creationTimestamp, annotations },
      spec: { driftPolicy: 'Revert', deletionPolicy: 'Delete', suspend: false, ...spec },
    };
  }

  change(change: (object: WeftApp) => WeftApp | undefined): Metadata | undefined {
    this.object = this.object && change(this.object);
    return this.object?.metadata;
  }

  edit(text: string): void {
    this.text = text;
    this.change(({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, generation: metadata.generation + 1 },
    }));
  }

  delete(): void {
    const deletionTimestamp = new Date(this.now).toISOString();
    this.change(({ metadata, ...rest }) => ({ ...rest, metadata: { ...metadata, deletionTimestamp } }));
  }

  #call<Value>(effect: () => Value): Promise<Value> {
    const fault = this.faults.shift() ?? 'none';
    const failed = new Failed({ kind: 'unavailable', message: 'Down.' });
    if (fault === 'before') return Promise.reject(failed);
    try {
      const value = effect();
      return fault === 'after' ? Promise.reject(failed) : Promise.resolve(value);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #write(write: AppWrite): readonly ListedApp[] {
    this.writes.push(write.action);
    this.beforeWrite?.();
    if (this.isInvalid) throw new Failed({ kind: 'refused', message: 'Invalid.' });
    if (write.action === 'delete') {
      if (this.isUsed) throw new Failed({ kind: 'in-use', message: 'Used by orders.' });
      this.apps.delete(write.name);
    } else {
      const { name, digest } = write.source;
      if (this.apps.get(name) !== (write.action === 'replace' ? write.seen : undefined))
        throw new Failed({ kind: 'outdated', message: 'Changed meanwhile.' });
      this.apps.set(name, digest);
    }
    return this.#list();
  }

  #list(): readonly ListedApp[] {
    return [...this.apps].map(([name, digest]) => ({ name, digest }));
  }

  #source(): AppSourceFact {
    return this.text === undefined
      ? { state: 'missing', message: 'No ConfigMap.' }
      : { state: 'found', source: { name: this.name, digest: this.text, document: {} } };
  }

  async reconcile(): Promise<void> {
    if (this.object === undefined) return;
    const ports: AppPorts = {
      readSource: () => this.#call(() => this.#source()),
      list: () => this.#call(() => this.#list()),
      write: (_, write) => this.#call(() => this.#write(write)),
      setFinalizer: (_, isSet) =>
        this.#call(() =>
          this.change((object) =>
            isSet ? { ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } } : undefined,
          ),
        ),
      writeStatus: (_, status: AppStatus) =>
        this.#call(() => {
          this.statusWrites += 1;
          this.change((object) => ({ ...object, status }));
        }),
      recordEvent: (_, { reason }) => void this.events.push(reason),
    };
    await reconcileApp(ports, { startedAt: 0, now: () => this.now }, this.object).catch(() => undefined);
  }

  reason(type: 'Ready' | 'Stalled' | 'Synced'): string | undefined {
    return conditionOf(this.object?.status?.conditions, type)?.reason;
  }
}

const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 40, size: 'max' });

describe('reconciling apps', () => {
  it('stores the app whatever fails, follows the object, and writes nothing when nothing has changed', async () => {
    await fc.assert(
      fc.asyncProperty(faults, async (given) => {
        const world = new World();
        world.faults = [...given];
        for (let round = 0; round < 12; round += 1) {
          world.now += 1_000;
          if (round === 6) world.edit('2');
          await world.reconcile();
        }
        world.faults = [];
        for (let round = 0; round < 3; round += 1) await world.reconcile();
        expect([...world.apps]).toEqual([['erp', '2']]);
        expect(world.object?.status).toMatchObject({ appName: 'erp', digest: '2', observedGeneration: 2 });
        const [writes, statusWrites] = [world.writes.length, world.statusWrites];
        await world.reconcile();
        expect([world.writes.length, world.statusWrites]).toEqual([writes, statusWrites]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [{}, 'KeyTaken', []],
    [{ [ADOPT]: 'true' }, 'Applied', ['replace']],
  ])('takes over an existing app only with the annotation: %j', async (annotations, reason, writes) => {
    const world = new World({}, annotations);
    world.apps.set('erp', 'other');
    for (let round = 0; round < 3; round += 1) await world.reconcile();
    expect([world.reason('Ready'), world.writes]).toEqual([reason, writes]);
  });

  it.each([
    ['Revert', 'Applied', '1', 'Reverted'],
    ['Warn', 'Drifted', 'elsewhere', 'Applied'],
  ] as const)('with driftPolicy %s, a change in Weft is %s', async (driftPolicy, reason, digest, event) => {
    const world = new World({ driftPolicy });
    await world.reconcile();
    world.apps.set('erp', 'elsewhere');
    await world.reconcile();
    expect([world.reason('Synced'), world.apps.get('erp'), world.events.at(-1)]).toEqual([reason, digest, event]);
  });

  it('waits two minutes for its ConfigMap', async () => {
    const world = new World({ appFrom: { configMapKeyRef: { name: 'erp', key: 'erp.yaml' } } });
    world.text = undefined;
    await world.reconcile();
    expect([world.reason('Ready'), world.reason('Stalled')]).toEqual(['WaitingForReferences', undefined]);
    world.now += 121_000;
    await world.reconcile();
    expect([world.reason('Stalled'), world.writes]).toEqual(['ReferenceMissing', []]);
  });

  it('refuses another name, and changes nothing while it is suspended', async () => {
    const world = new World();
    await world.reconcile();
    world.name = 'crm';
    world.edit('2');
    await world.reconcile();
    expect([world.reason('Stalled'), [...world.apps.keys()]]).toEqual(['Refused', ['erp']]);
    world.name = 'erp';
    world.change((object) => ({ ...object, spec: { ...object.spec, suspend: true } }));
    world.edit('3');
    await world.reconcile();
    expect([world.apps.get('erp'), world.writes]).toEqual(['1', ['create']]);
  });

  it('lets another name follow one that was never stored', async () => {
    const world = new World();
    world.isInvalid = true;
    await world.reconcile();
    expect(world.reason('Stalled')).toBe('Refused');
    world.isInvalid = false;
    world.name = 'crm';
    world.edit('2');
    await world.reconcile();
    expect([world.reason('Ready'), [...world.apps]]).toEqual(['Applied', [['crm', '2']]]);
  });

  it('leaves an app alone that another object adds at the same moment', async () => {
    const world = new World();
    world.beforeWrite = () => world.apps.set('erp', 'of another object');
    await world.reconcile();
    world.beforeWrite = undefined;
    await world.reconcile();
    expect([world.reason('Stalled'), [...world.apps]]).toEqual(['KeyTaken', [['erp', 'of another object']]]);
    world.delete();
    await world.reconcile();
    expect([world.object, world.apps.size]).toEqual([undefined, 1]);
  });

  /** List, source, finalizer, claim and write succeed; no status is written after that. */
  const KILLED_AFTER_WRITE: readonly Fault[] = [...Array<Fault>(5).fill('none'), ...Array<Fault>(10).fill('before')];

  it('knows an app again that was stored just before the operator was killed, and follows its text', async () => {
    const world = new World({ driftPolicy: 'Warn' });
    world.faults = [...KILLED_AFTER_WRITE];
    await world.reconcile();
    expect([world.apps.size, world.reason('Ready')]).toEqual([1, undefined]);
    world.faults = [];
    world.edit('2');
    await world.reconcile();
    expect([world.reason('Ready'), [...world.apps]]).toEqual(['Applied', [['erp', '2']]]);
  });

  it.each([[[]], [KILLED_AFTER_WRITE]])('deletes the app of a deleted object after %j', async (given) => {
    const world = new World();
    world.faults = [...given];
    await world.reconcile();
    expect(world.apps.size).toBe(1);
    world.delete();
    world.faults = [];
    await world.reconcile();
    expect([world.object, world.apps.size]).toEqual([undefined, 0]);
  });

  it('keeps an app that active workflows use, and lets the object go after ten minutes', async () => {
    const world = new World();
    await world.reconcile();
    world.isUsed = true;
    world.delete();
    await world.reconcile();
    expect(world.object).toBeDefined();
    world.now += 600_000;
    await world.reconcile();
    expect([world.object, world.apps.size, world.events.at(-1)]).toEqual([undefined, 1, 'Abandoned']);
  });

  it('leaves the app of a deleted object alone if it says so', async () => {
    const world = new World({ deletionPolicy: 'Orphan' });
    await world.reconcile();
    world.delete();
    await world.reconcile();
    expect([world.object, world.apps.size]).toEqual([undefined, 1]);
  });
});
