import type { ResolvedWebhook, WebhookAddress } from '@weft/proto/workflows';
import { leaseRoutes } from './route-leases';

const LEASE_MS = 200;
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
  ...over,
});

/** A workflows service that responds on command, and a clock that can be set. */
const scene = () => {
  const clock = { ms: 1_000 };
  const questions: { readonly address: WebhookAddress; readonly settle: (value: ResolvedWebhook | Error) => void }[] =
    [];
  const resolve = leaseRoutes(
    (address) =>
      new Promise((done, failed) => {
        questions.push({ address, settle: (value) => (value instanceof Error ? failed(value) : done(value)) });
      }),
    () => clock.ms,
  );
  const settle = async (index: number, value: ResolvedWebhook | Error): Promise<void> => {
    questions[index]?.settle(value);
    await new Promise(setImmediate);
  };
  const ask = async (value: ResolvedWebhook): Promise<ResolvedWebhook> => {
    const asked = questions.length;
    const resolved = resolve(ADDRESS);
    await settle(asked, value);
    return resolved;
  };
  return { clock, questions, resolve, settle, ask };
};

describe('leases of routes', () => {
  it('reuse a result until its lease ends, counted from sending the request', async () => {
    const { clock, questions, resolve, settle } = scene();
    const first = resolve(ADDRESS);
    clock.ms += 60;
    await settle(0, answer('v1'));
    expect(await first).toMatchObject({ versionId: 'v1' });
    clock.ms = 1_000 + LEASE_MS / 2 - 1;
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v1' });
    expect(questions).toHaveLength(1);
    clock.ms = 1_000 + LEASE_MS;
    const later = resolve(ADDRESS);
    expect(questions).toHaveLength(2);
    await settle(1, answer('v2'));
    expect(await later).toMatchObject({ versionId: 'v2' });
  });

  it('are renewed once in the background after half of their time', async () => {
    const { clock, questions, resolve, settle, ask } = scene();
    await ask(answer('v1'));
    clock.ms += LEASE_MS / 2;
    expect(await Promise.all([resolve(ADDRESS), resolve(ADDRESS)])).toMatchObject([
      { versionId: 'v1' },
      { versionId: 'v1' },
    ]);
    expect(questions).toHaveLength(2);
    await settle(1, answer('v2'));
    clock.ms += LEASE_MS - 1;
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
  });

  it('end immediately when a renewal finds nothing', async () => {
    const { clock, questions, resolve, settle, ask } = scene();
    await ask(answer('v1'));
    clock.ms += LEASE_MS / 2;
    await resolve(ADDRESS);
    await settle(1, answer('', { found: false, leaseMs: 0 }));
    const later = resolve(ADDRESS);
    expect(questions).toHaveLength(3);
    await settle(2, answer('', { found: false, leaseMs: 0 }));
    expect(await later).toMatchObject({ found: false });
  });

  it('end at their time when a renewal fails, and the next call gets the error', async () => {
    const { clock, questions, resolve, settle, ask } = scene();
    await ask(answer('v1'));
    clock.ms += LEASE_MS / 2;
    await resolve(ADDRESS);
    await settle(1, new Error('away'));
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v1' });
    await settle(2, new Error('away'));
    clock.ms += LEASE_MS / 2;
    const refused = expect(resolve(ADDRESS)).rejects.toThrow('away');
    await settle(questions.length - 1, new Error('away'));
    await refused;
  });

  it('are not created for results without a lease, or for missing routes', async () => {
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
    await settle(1, answer('v2'));
    await settle(0, answer('v1'));
    expect(await Promise.all([early, late])).toMatchObject([{ versionId: 'v1' }, { versionId: 'v2' }]);
    expect(await resolve(ADDRESS)).toMatchObject({ versionId: 'v2' });
    expect(questions).toHaveLength(2);
  });

  it('are held for a bounded number of addresses', async () => {
    let asked = 0;
    const resolve = leaseRoutes(
      () => {
        asked += 1;
        return Promise.resolve(answer('v1'));
      },
      () => 1_000,
    );
    for (let n = 0; n <= 10_000; n += 1) await resolve({ method: 'POST', path: `p${n}` });
    expect(asked).toBe(10_001);
    await resolve({ method: 'POST', path: 'p10000' });
    expect(asked).toBe(10_001);
    await resolve({ method: 'POST', path: 'p0' });
    expect(asked).toBe(10_002);
  });
});
