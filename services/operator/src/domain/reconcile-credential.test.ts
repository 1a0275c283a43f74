import fc from 'fast-check';
import { conditionOf } from './conditions';
import { credentialData, type CredentialWrite, type ListedCredential } from './decide-credential';
import { Failed } from './failures';
import { ADOPT, FINALIZER, type CredentialStatus, type Metadata, type WeftCredential } from './objects';
import { reconcileCredential, type CredentialPorts } from './reconcile-credential';

type Fault = 'none' | 'before' | 'after';

/** An object with its Secret, the credentials of the project, and calls that can fail before or after their effect. */
class World {
  now = Date.parse('2026-11-30T00:00:00Z');
  object: WeftCredential | undefined;
  secret: string | undefined = '1';
  faults: Fault[] = [];
  statusWrites = 0;
  readonly credentials = new Map<string, ListedCredential>();
  readonly writes: CredentialWrite['action'][] = [];
  #numbers = 0;

  constructor(annotations: Record<string, string> = {}) {
    const creationTimestamp = new Date(this.now).toISOString();
    this.object = {
      metadata: {
        name: 'erp',
        namespace: 'n',
        uid: 'u',
        resourceVersion: '1',
        generation: 1,
        creationTimestamp,
        annotations,
      },
      spec: { type: 't', name: 'ERP', deletionPolicy: 'Delete', secretRef: { name: 's', keys: { value: 'token' } } },
    };
  }

  add(createdAt: string): string {
    this.#numbers += 1;
    const id = `c${this.#numbers}`;
    this.credentials.set(id, { id, name: 'ERP', type: 't', createdAt });
    return id;
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

  #change(change: (object: WeftCredential) => WeftCredential | undefined): Metadata | undefined {
    this.object = this.object && change(this.object);
    return this.object?.metadata;
  }

  #write(write: CredentialWrite): { id: string; version: string } {
    this.writes.push(write.action);
    const version = this.secret ?? '';
    if (write.action === 'create') return { id: this.add(new Date(this.now).toISOString()), version };
    if (!this.credentials.has(write.id)) throw new Failed({ kind: 'not-found', message: 'Gone.' });
    if (write.action === 'delete') this.credentials.delete(write.id);
    return { id: write.id, version };
  }

  async reconcile(): Promise<void> {
    if (this.object === undefined) return;
    const ports: CredentialPorts = {
      readSecret: () =>
        this.#call(() =>
          this.secret === undefined
            ? ({ state: 'missing', message: 'No Secret.' } as const)
            : ({ state: 'found', version: this.secret } as const),
        ),
      list: () => this.#call(() => [...this.credentials.values()]),
      write: (_, write) => this.#call(() => this.#write(write)),
      setFinalizer: (_, isSet) =>
        this.#call(() =>
          this.#change((object) =>
            isSet ? { ...object, metadata: { ...object.metadata, finalizers: [FINALIZER] } } : undefined,
          ),
        ),
      writeStatus: (_, status: CredentialStatus) =>
        this.#call(() => {
          this.statusWrites += 1;
          this.#change((object) => ({ ...object, status }));
        }),
      recordEvent: () => undefined,
    };
    await reconcileCredential(ports, { startedAt: 0, now: () => this.now }, this.object).catch(() => undefined);
  }

  reason(type: 'Ready' | 'Stalled' | 'CredentialsResolved'): string | undefined {
    return conditionOf(this.object?.status?.conditions, type)?.reason;
  }
}

const faults = fc.array(fc.constantFrom<Fault>('none', 'before', 'after'), { maxLength: 40, size: 'max' });

describe('reconciling credentials', () => {
  it('creates one credential whatever fails, and follows its Secret', async () => {
    await fc.assert(
      fc.asyncProperty(faults, async (given) => {
        const world = new World();
        world.faults = [...given];
        for (let round = 0; round < 12; round += 1) {
          world.now += 1_000;
          if (round === 6) world.secret = '2';
          await world.reconcile();
        }
        world.faults = [];
        for (let round = 0; round < 3; round += 1) await world.reconcile();
        expect(world.credentials.size).toBe(1);
        expect(world.object?.status).toMatchObject({ credentialId: 'c1', secretResourceVersion: '2' });
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
  ])('takes over an existing credential only with the annotation: %j', async (annotations, reason, writes) => {
    const world = new World(annotations);
    world.add('2026-01-01T00:00:00Z');
    for (let round = 0; round < 3; round += 1) await world.reconcile();
    expect([world.reason('Ready'), world.writes]).toEqual([reason, writes]);
  });

  it('waits two minutes for its Secret', async () => {
    const world = new World();
    world.secret = undefined;
    await world.reconcile();
    expect([world.reason('CredentialsResolved'), world.reason('Stalled')]).toEqual(['SecretMissing', undefined]);
    world.now += 121_000;
    await world.reconcile();
    expect(world.reason('Stalled')).toBe('ReferenceMissing');
    expect(world.writes).toEqual([]);
  });

  it('deletes the credential of a deleted object, also if its id was never written to the status', async () => {
    const world = new World();
    world.faults = ['none', 'none', 'none', 'after'];
    await world.reconcile();
    const { object } = world;
    expect([object?.status?.credentialId, world.credentials.size]).toEqual([undefined, 1]);
    if (object !== undefined)
      world.object = {
        ...object,
        metadata: { ...object.metadata, deletionTimestamp: new Date(world.now).toISOString() },
      };
    await world.reconcile();
    expect([world.object, world.credentials.size]).toEqual([undefined, 0]);
  });

  it('sends plain values and those of the Secret', () => {
    const spec = {
      type: 't',
      name: 'n',
      deletionPolicy: 'Delete' as const,
      values: { name: 'X-Key' },
      secretRef: { name: 's', keys: { value: 'token' } },
    };
    expect(credentialData(spec, new Map([['token', 'secret']]))).toEqual({ name: 'X-Key', value: 'secret' });
  });
});
