import { Forbidden, Unavailable } from '../errors';
import type { CallContext } from '../grpc';
import type { KeyRecord, KeyRecordStore } from './key-record';
import { repeatable, type Repeat } from './repeatable';

interface Request {
  readonly key: string;
  readonly name: string;
}

interface Thing {
  readonly id: string;
  readonly name: string;
}

const callOf = (userId: string): CallContext => ({
  requestId: 'r',
  service: undefined,
  principal: { userId, role: 'editor', projects: [] },
  signal: new AbortController().signal,
});

/** The contract of the store, over a map. The tests of the services use MongoDB. */
const memoryStore = () => {
  const records = new Map<string, KeyRecord>();
  const isAt = (id: string, expected: Date): boolean => records.get(id)?.leaseUntil.getTime() === expected.getTime();
  const change = (id: string, fields: Partial<KeyRecord>): void => {
    const found = records.get(id);
    if (found !== undefined) records.set(id, { ...found, ...fields });
  };
  const store: KeyRecordStore = {
    insert: (record) => {
      const isNew = !records.has(record.id);
      if (isNew) records.set(record.id, record);
      return Promise.resolve(isNew);
    },
    find: (id) => Promise.resolve(records.get(id)),
    countOf: (ownerId, limit) =>
      Promise.resolve(Math.min(limit, [...records.values()].filter((one) => one.ownerId === ownerId).length)),
    takeOver: (id, expected, leaseUntil) => {
      const isMine = isAt(id, expected);
      if (isMine) change(id, { leaseUntil });
      return Promise.resolve(isMine);
    },
    finish: (id, response) => {
      change(id, { isDone: true, ...(response === undefined ? {} : { response }) });
      return Promise.resolve();
    },
    release: (id, expected) => {
      if (isAt(id, expected)) change(id, { leaseUntil: new Date(0) });
      return Promise.resolve();
    },
    remove: (id, expected) => {
      if (isAt(id, expected)) records.delete(id);
      return Promise.resolve();
    },
  };
  return { store, records };
};

describe('a repeatable method', () => {
  let clock = 1_000_000;
  let things: Map<string, Thing>;
  let memory: ReturnType<typeof memoryStore>;
  /** Happens instead of, or after, the creation. */
  let mishap: (created: () => Thing) => Promise<Thing>;
  let created: number;
  beforeEach(() => {
    clock = 1_000_000;
    things = new Map();
    memory = memoryStore();
    created = 0;
    mishap = (create) => Promise.resolve(create());
  });

  const stored: Repeat<Request, Thing> = {
    kind: 'stored',
    encode: (thing) => Buffer.from(JSON.stringify(thing)),
    decode: (bytes): Thing => JSON.parse(Buffer.from(bytes).toString()),
    find: (id) => Promise.resolve(things.get(id)),
  };
  const methodWith = (repeat: Repeat<Request, Thing>, method = 'CreateThing') =>
    repeatable<Request, Thing>(
      {
        store: memory.store,
        now: () => clock,
        secret: 's',
        onUnrecorded: (error) => {
          throw error;
        },
      },
      {
        method,
        keyOf: ({ key }) => key,
        bytesOf: ({ name }) => Buffer.from(name),
        create: ({ name }, { createdId = `plain-${created}` }) =>
          mishap(() => {
            created += 1;
            const thing = { id: createdId, name };
            things.set(createdId, thing);
            return thing;
          }),
        repeat,
      },
    );
  const create = (key: string, name = 'n', userId = 'u1') => methodWith(stored)({ key, name }, callOf(userId));

  it('creates one object for requests with the same key, and returns the first response', async () => {
    const first = await create('k');
    things.set(first.id, { ...first, name: 'renamed since' });
    expect(await create('k')).toEqual(first);
    expect(created).toBe(1);
  });

  it('creates an object for each request without a key', async () => {
    await create('');
    await create('');
    expect(created).toBe(2);
  });

  it('creates one object for requests that arrive together', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('k')));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(created).toBe(1);
  });

  it('refuses another request with the key', async () => {
    await create('k');
    await expect(create('k', 'other')).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('keeps the keys of callers and of methods apart', async () => {
    const first = await create('k');
    const other = await create('k', 'n', 'u2');
    const ofMethod = await methodWith(stored, 'CreateOther')({ key: 'k', name: 'n' }, callOf('u1'));
    expect(new Set([first.id, other.id, ofMethod.id]).size).toBe(3);
  });

  it('forgets the key of a refused request', async () => {
    mishap = () => Promise.reject(new Forbidden('No.'));
    await expect(create('k')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    mishap = (make) => Promise.resolve(make());
    expect((await create('k', 'corrected')).name).toBe('corrected');
  });

  it('finds the object of an attempt that failed after it had created it', async () => {
    mishap = (make) => {
      make();
      return Promise.reject(new Unavailable('The connection was lost.'));
    };
    await expect(create('k')).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    expect(await create('k')).toEqual([...things.values()][0]);
    expect(created).toBe(1);
  });

  it('repeats an attempt that failed before it had created anything, under the same id', async () => {
    mishap = () => Promise.reject(new Unavailable('The connection was lost.'));
    await expect(create('k')).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
    const [record] = memory.records.values();
    mishap = (make) => Promise.resolve(make());
    expect((await create('k')).id).toBe(record?.createdId);
  });

  it('takes over from a process that died, after its lease', async () => {
    mishap = () => new Promise(() => undefined);
    void create('k');
    await new Promise((resolve) => setImmediate(resolve));
    clock += 41_000;
    mishap = (make) => Promise.resolve(make());
    await create('k');
    expect(created).toBe(1);
  });

  it('accepts the key for a new request after 24 hours', async () => {
    await create('k');
    clock += 24 * 3_600_000 + 1;
    expect((await create('k', 'other')).name).toBe('other');
  });

  it('limits the keys of a caller, and no other caller', async () => {
    const [record] = await create('k').then(() => [...memory.records.values()]);
    if (record === undefined) throw new Error('no record');
    for (let index = 0; index < 10_000; index += 1) memory.records.set(`x${index}`, { ...record, id: `x${index}` });
    await expect(create('new')).rejects.toMatchObject({ reason: 'TOO_MANY_IDEMPOTENCY_KEYS' });
    expect(await create('k')).toMatchObject({ name: 'n' });
    expect(await create('new', 'n', 'u2')).toMatchObject({ name: 'n' });
  });

  it('never stores or repeats a secret, and names the object', async () => {
    const secret: Repeat<Request, Thing> = {
      kind: 'secret',
      idName: 'thingId',
      exists: (id) => Promise.resolve(things.has(id)),
    };
    const method = methodWith(secret);
    const { id } = await method({ key: 'k', name: 'n' }, callOf('u1'));
    await expect(method({ key: 'k', name: 'n' }, callOf('u1'))).rejects.toMatchObject({
      reason: 'RESPONSE_NOT_REPEATED',
      details: { thingId: id },
    });
    expect([...memory.records.values()][0]).not.toHaveProperty('response');
    expect(created).toBe(1);
  });
});
