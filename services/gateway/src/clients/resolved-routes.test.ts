import type { ListRouteReleasesResponse, ResolvedWebhook, WebhookAddress } from '@weft/proto/workflows';
import { reuseRoutes } from './resolved-routes';

const LEASE_MS = 200;
const LISTED_MS = 5_000;
const ADDRESS: WebhookAddress = { method: 'POST', path: 'a' };

const answer = (versionId: string, over: Partial<ResolvedWebhook> = {}): ResolvedWebhook => ({
  found: true,
  workflowId: 'w1',
  versionId,
  ownerId: 'u1',
  node: 'Hook',
  pathParams: {},
  otherMethods: [],
  leaseMs: LEASE_MS,
  release: '',
  ...over,
});

const listOf = (releases: Readonly<Record<string, string>>, incomplete = false): ListRouteReleasesResponse => ({
  releases: Object.entries(releases).map(([workflowId, release]) => ({ workflowId, release })),
  incomplete,
  listedMs: LISTED_MS,
});

interface Question<Value> {
  readonly path: string;
  readonly settle: (value: Value | Error) => void;
}

const asked = <Value>(questions: Question<Value>[], path: string): Promise<Value> =>
  new Promise((done, failed) => {
    questions.push({ path, settle: (value) => (value instanceof Error ? failed(value) : done(value)) });
  });

/** A workflows service that responds on command, and a clock that can be set. */
const scene = () => {
  const clock = { ms: 1_000 };
  const questions: Question<ResolvedWebhook>[] = [];
  const lists: Question<ListRouteReleasesResponse>[] = [];
  const resolve = reuseRoutes(
    { resolve: ({ path }) => asked(questions, path), listReleases: () => asked(lists, '') },
    () => clock.ms,
  );
  const turn = () => new Promise(setImmediate);
  const settle = async <Value>(question: Question<Value> | undefined, value: Value | Error): Promise<void> => {
    question?.settle(value);
    await turn();
  };
  const ask = async (value: ResolvedWebhook, address = ADDRESS): Promise<ResolvedWebhook> => {
    const resolved = resolve(address);
    await turn();
    await settle(questions.at(-1), value);
    return resolved;
  };
  /** Answers the request for releases under way. */
  const list = (value: ListRouteReleasesResponse | Error) => settle(lists.at(-1), value);
  return { clock, questions, lists, resolve, settle, ask, list, turn };
};

describe('resolved routes', () => {
  it('are reused until their lease ends, counted from sending the request', async () => {
    const { clock, questions, resolve, settle, turn } = scene();
    const first = resolve(ADDRESS);
    clock.ms += 60;
    await settle(questions[0], answer('v1'));
    expect(await first).toMatchObject({ versionId: 'v1' });
    clock.ms = 1_000 + LEASE_MS - 1;
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v1' });
    expect(questions).toHaveLength(1);
    clock.ms = 1_000 + LEASE_MS;
    void resolve(ADDRESS);
    await turn();
    // Not before the request for releases under way.
    expect(questions).toHaveLength(1);
  });

  it('are reused while releases are requested and none is listed, with one request for all addresses', async () => {
    const { clock, questions, lists, resolve, ask, list } = scene();
    const addresses = Array.from({ length: 100 }, (_, n) => ({ method: 'POST', path: `p${n}` }));
    for (const address of addresses) await ask(answer('v1'), address);
    await list(listOf({}));
    for (let round = 1; round <= 100; round += 1) {
      clock.ms += 125;
      for (const address of addresses) expect(await resolve(address)).toMatchObject({ versionId: 'v1' });
      await list(listOf({ other: 'r1' }));
    }
    expect(questions).toHaveLength(100);
    expect(lists).toHaveLength(101);
  });

  it('wait for releases after a pause, and are resolved again after a long one', async () => {
    const { clock, questions, lists, resolve, ask, list, turn } = scene();
    await ask(answer('v1'));
    await list(listOf({}));
    clock.ms += LISTED_MS - 1;
    const [one, two] = [resolve(ADDRESS), resolve(ADDRESS)];
    await turn();
    expect(lists).toHaveLength(2);
    await list(listOf({}));
    expect(await Promise.all([one, two])).toMatchObject([{ versionId: 'v1' }, { versionId: 'v1' }]);
    expect(questions).toHaveLength(1);
    clock.ms += LISTED_MS;
    expect(await ask(answer('v2'))).toMatchObject({ versionId: 'v2' });
    expect(questions).toHaveLength(2);
  });

  it('are resolved again after a release of their workflow, and others are reused', async () => {
    const { clock, questions, resolve, ask, list } = scene();
    const other = { method: 'POST', path: 'other' };
    await ask(answer('v1'));
    await ask(answer('o1', { workflowId: 'w2' }), other);
    await list(listOf({}));
    clock.ms += 125;
    await resolve(ADDRESS);
    await list(listOf({ w1: 'r1' }));
    expect(await ask(answer('v2', { release: 'r1' }))).toMatchObject({ versionId: 'v2' });
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
    expect(await resolve(other)).toMatchObject({ versionId: 'o1' });
    expect(questions).toHaveLength(3);
    // The new version is reused while its release is listed, and afterwards.
    for (const next of [{ w1: 'r1' }, {}]) {
      clock.ms += 125;
      expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
      await list(listOf(next));
    }
    expect(questions).toHaveLength(3);
  });

  it('are not reused if they were read before a release listed meanwhile', async () => {
    const { questions, resolve, settle, ask, list } = scene();
    const slow = resolve(ADDRESS);
    await list(listOf({ w1: 'r1' }));
    await settle(questions[0], answer('v1'));
    expect(await slow).toMatchObject({ versionId: 'v1' });
    await ask(answer('v2', { release: 'r1' }));
    expect(questions).toHaveLength(2);
  });

  it('are reused if they include a release later than those listed', async () => {
    const { clock, questions, resolve, ask, list } = scene();
    await ask(answer('v1', { release: 'r1' }));
    await list(listOf({ w1: 'r1' }));
    clock.ms += LISTED_MS;
    await ask(answer('v2', { release: 'r2' }));
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
    await list(listOf({ w1: 'r2' }));
    clock.ms += LEASE_MS - 1;
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
    expect(questions).toHaveLength(2);
  });

  it('are resolved again if releases may have been missed: after a slow or an incomplete list', async () => {
    const { clock, questions, resolve, ask, list, turn } = scene();
    await ask(answer('v1'));
    await list(listOf({}));
    clock.ms += LISTED_MS - 1;
    const waiting = resolve(ADDRESS);
    await turn();
    clock.ms += 1;
    await list(listOf({}));
    expect(questions).toHaveLength(2);
    questions[1]?.settle(answer('v2'));
    expect(await waiting).toMatchObject({ versionId: 'v2' });
    clock.ms += 125;
    await resolve(ADDRESS);
    await list(listOf({}, true));
    clock.ms += 1;
    await ask(answer('v3'));
    expect(questions).toHaveLength(3);
    // A later list does not bring back what was dropped.
    clock.ms += 125;
    await ask(answer('v4'), { method: 'POST', path: 'b' });
    await list(listOf({}));
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v3' });
  });

  it('end at their time while the service is away, and the next call gets its error', async () => {
    const { clock, questions, resolve, settle, ask, list, turn } = scene();
    await ask(answer('v1'));
    await list(listOf({}));
    clock.ms += LEASE_MS - 1;
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v1' });
    await list(new Error('away'));
    clock.ms += 1;
    const refused = expect(resolve(ADDRESS)).rejects.toThrow('away');
    await turn();
    await list(new Error('away'));
    await settle(questions.at(-1), new Error('away'));
    await refused;
    expect(questions).toHaveLength(2);
  });

  it('are not reused without a lease, or for missing routes', async () => {
    const { questions, ask } = scene();
    await ask(answer('v1', { leaseMs: 0 }));
    await ask(answer('', { found: false, leaseMs: 0 }));
    await ask(answer('v2'));
    expect(questions).toHaveLength(3);
  });

  it('keep the result of the later request', async () => {
    const { clock, questions, resolve, settle } = scene();
    const early = resolve(ADDRESS);
    clock.ms += 10;
    const late = resolve(ADDRESS);
    await settle(questions[1], answer('v2'));
    await settle(questions[0], answer('v1'));
    expect(await Promise.all([early, late])).toMatchObject([{ versionId: 'v1' }, { versionId: 'v2' }]);
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
    expect(questions).toHaveLength(2);
  });

  it("are held for a bounded number of addresses, those in use rather than another owner's many", async () => {
    const asked = new Map<string, number>();
    const resolve = reuseRoutes(
      {
        resolve: ({ path }) => {
          asked.set(path, (asked.get(path) ?? 0) + 1);
          return Promise.resolve(answer('v1', { workflowId: path }));
        },
        listReleases: () => Promise.resolve(listOf({})),
      },
      () => 1_000,
    );
    for (let n = 0; n < 100_000; n += 1) {
      await resolve({ method: 'POST', path: `hostile${n}` });
      if (n % 1_000 === 0) await resolve({ method: 'POST', path: 'healthy' });
    }
    expect(asked.get('healthy')).toBe(1);
    for (const path of ['hostile99999', 'hostile0']) await resolve({ method: 'POST', path });
    expect([asked.get('hostile99999'), asked.get('hostile0')]).toEqual([1, 2]);
  });

  it('are held up to a number of bytes', async () => {
    let count = 0;
    const resolve = reuseRoutes(
      {
        resolve: ({ path }) => {
          count += 1;
          return Promise.resolve(answer('v1', { node: `${path} ${'x'.repeat(500_000)}` }));
        },
        listReleases: () => Promise.resolve(listOf({})),
      },
      () => 1_000,
    );
    for (let n = 0; n < 100; n += 1) await resolve({ method: 'POST', path: `p${n}` });
    await resolve({ method: 'POST', path: 'p99' });
    expect(count).toBe(100);
    await resolve({ method: 'POST', path: 'p0' });
    expect(count).toBe(101);
  });
});
