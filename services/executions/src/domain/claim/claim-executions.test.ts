import { TimedOut, Unavailable } from '@weft/service-kit/errors';
import { newExecution } from '../start/new-execution';
import { retryClaimMs } from '../state/back-off';
import { PLAIN_RUN } from '../testing/plain-run';
import { createClaim, type ClaimPorts } from './claim-executions';

describe('a claim whose definition cannot be loaded', () => {
  const NOW = 1_000_000;
  const LEASE_MS = 30_000;

  const claimWith = async (isGone: boolean) => {
    const record = newExecution({ ...PLAIN_RUN, id: 'e' }, NOW);
    const applied: Parameters<ClaimPorts['apply']>[1][] = [];
    const published: string[] = [];
    const claim = createClaim({
      claim: () => Promise.resolve([record]),
      findHeldBack: () => Promise.resolve([]),
      publish: (id) => void published.push(id),
      apply: (_, write) => {
        applied.push(write);
        return Promise.resolve({ outcome: 'applied', record });
      },
      getVersion: () => Promise.reject(new Unavailable('The deadline has passed.')),
      clock: () => NOW,
      leaseMs: LEASE_MS,
      retentionMs: 1_000,
    });
    const request = { executionIds: ['e'], runnerId: 'r', claimId: 'c', attempt: 0, isolated: false };
    const outcome = await claim({
      ...request,
      knownVersionIds: [],
      engineStateVersions: [1],
      isGone: () => isGone,
    }).catch((error: unknown) => error);
    return { outcome, notBefore: applied[0]?.changes.set?.['notBefore'], published };
  };

  it('is released for a while, as other runners could not load it either', async () => {
    const { outcome, notBefore, published } = await claimWith(false);
    expect(outcome).toMatchObject({ executions: [], refusedIds: ['e'] });
    expect([notBefore, published]).toEqual([new Date(NOW + retryClaimMs(LEASE_MS)), []]);
  });

  it('is released for any runner at once if its own runner is gone, whose deadline may be the only cause', async () => {
    const { outcome, notBefore, published } = await claimWith(true);
    expect(outcome).toBeInstanceOf(TimedOut);
    expect([notBefore, published]).toEqual([new Date(NOW), ['e']]);
  });
});
