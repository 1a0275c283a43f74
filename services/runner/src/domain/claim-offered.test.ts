import { InvalidRequest, Unavailable } from '@weft/service-kit/errors';
import { createWaitForOffers } from './claim-offered';
import type { ClaimOutcome, ClaimOfferedParams } from './execution-store';

const OUTCOME: ClaimOutcome = { claimed: [], versions: [], leaseMs: 30_000, aloneIds: [], unreadableIds: [] };
const PARAMS = { most: 8, waitMs: 500, knownVersionIds: ['v'] };

describe('a claim that waits for offers', () => {
  it('has leases from when it claimed on, not from when it was sent', async () => {
    let now = 1_000;
    const wait = createWaitForOffers(() => now);
    const claimOffered = () => {
      now += 450;
      return Promise.resolve({ outcome: OUTCOME, waitedMs: 400 });
    };
    expect(await wait({ ...PARAMS, claimOffered })).toEqual({ outcome: OUTCOME, sentAt: 1_400 });
  });

  it('is another claim each time, and undefined without an offer', async () => {
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

  it('is repeated under its id without an answer, and gives what it has won', async () => {
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

  it('is given up after three repeats, and at once if it is refused', async () => {
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
