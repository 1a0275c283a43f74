import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { createClaimOffered, createWaitForOffers } from './claim-offered';
import type { ClaimOutcome, ClaimOfferedParams, ExecutionStore } from './held/execution-store';

const OUTCOME: ClaimOutcome = { claimed: [], versions: [], leaseMs: 30_000, isolatedIds: [], unreadableIds: [] };
const PARAMS = { most: 8, waitMs: 500, knownVersionIds: ['v'] };

describe('a claim that waits for offers', () => {
  it('has leases from the time of the claim, not of the request', async () => {
    let now = 1_000;
    const wait = createWaitForOffers(() => now);
    const claimOffered = () => {
      now += 450;
      return Promise.resolve({ outcome: OUTCOME, waitedMs: 400 });
    };
    expect(await wait({ ...PARAMS, claimOffered })).toEqual({ outcome: OUTCOME, sentAt: 1_400 });
  });

  it('has a new id each time, and is undefined without an offer', async () => {
    const sent: ClaimOfferedParams[] = [];
    const wait = createWaitForOffers(() => 0);
    const claimOffered = (params: ClaimOfferedParams) => {
      sent.push(params);
      return Promise.resolve(undefined);
    };
    expect([await wait({ ...PARAMS, claimOffered }), await wait({ ...PARAMS, claimOffered })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(sent).toMatchObject([PARAMS, PARAMS]);
    expect(sent[0]?.claimId).not.toBe(sent[1]?.claimId);
  });

  it('is repeated under its id without a response, and returns what it has claimed', async () => {
    const sent: ClaimOfferedParams[] = [];
    const wait = createWaitForOffers(() => 0);
    const claimOffered = (params: ClaimOfferedParams) => {
      sent.push(params);
      return params.attempt < 2
        ? Promise.reject(new Unavailable('Connection dropped'))
        : Promise.resolve({ outcome: OUTCOME, waitedMs: 0 });
    };
    expect(await wait({ ...PARAMS, claimOffered })).toEqual({ outcome: OUTCOME, sentAt: 0 });
    expect(sent.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    expect(new Set(sent.map(({ claimId }) => claimId)).size).toBe(1);
  });

  it('fails after three repeats, or at once if it is refused', async () => {
    let count = 0;
    const wait = createWaitForOffers(() => 0);
    const failing = (error: Error) => () => {
      count += 1;
      return Promise.reject(error);
    };
    await expect(wait({ ...PARAMS, claimOffered: failing(new Unavailable('down')) })).rejects.toThrow('down');
    expect(count).toBe(4);
    await expect(wait({ ...PARAMS, claimOffered: failing(new InvalidRequest('bad', [])) })).rejects.toThrow('bad');
    expect(count).toBe(5);
  });
});

/** A claim handler that fails this often before it responds, and the requests it received. */
const placeOf = (
  failures: number,
  error: Error = new Unavailable('Connection dropped'),
): Pick<ExecutionStore, 'claim'> & { readonly sent: Parameters<ExecutionStore['claim']>[1][] } => {
  const sent: Parameters<ExecutionStore['claim']>[1][] = [];
  return {
    sent,
    claim: (_, stamp) => {
      sent.push(stamp);
      return sent.length > failures ? Promise.resolve(OUTCOME) : Promise.reject(error);
    },
  };
};

describe('a claim of an offer received as a message', () => {
  const claimAt = async (replica: ReturnType<typeof placeOf>, store: ReturnType<typeof placeOf>) => {
    const warnings: string[] = [];
    const claim = createClaimOffered({ store, clock: () => 7, warn: (_, text) => void warnings.push(text) });
    const answer = await claim({ ids: ['a'], knownVersionIds: [], replica });
    const sent = [...replica.sent, ...store.sent];
    return {
      answer,
      warnings,
      attempts: sent.map(({ attempt }) => attempt),
      ids: new Set(sent.map((one) => one.claimId)),
    };
  };

  it('is repeated under its id at the replica that holds the executions', async () => {
    const [replica, store] = [placeOf(2), placeOf(0)];
    const { answer, ids } = await claimAt(replica, store);
    expect(answer).toEqual({ outcome: OUTCOME, sentAt: 7 });
    expect([replica.sent.length, store.sent.length, ids.size]).toEqual([3, 0, 1]);
  });

  it('goes to any replica when that one does not respond or refuses, as its last attempt', async () => {
    const { answer, attempts, ids } = await claimAt(placeOf(9), placeOf(0));
    expect(answer).toEqual({ outcome: OUTCOME, sentAt: 7 });
    expect([attempts, ids.size]).toEqual([[0, 1, 2, 3, 4], 1]);
    const refused = await claimAt(placeOf(9, new InvalidRequest('bad', [])), placeOf(0));
    expect([refused.answer?.sentAt, refused.attempts]).toEqual([7, [0, 4]]);
  });

  it('is left to the queue with a warning without any response', async () => {
    const { answer, warnings } = await claimAt(placeOf(9), placeOf(9));
    expect([answer, warnings.length]).toEqual([undefined, 1]);
  });
});
