import type { KindCases } from '../testing/cases/node-case';

/** The key of RFC 6238 for SHA-1 (`12345678901234567890`) in Base32. */
const RFC_KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const node = { credentials: { totpApi: { id: '1', name: 'Key' } } };
const withKey = { node, credential: { secret: RFC_KEY, label: 'Weft:test' } };

export const totpCases: KindCases = {
  kind: 'totp',
  cases: [
    {
      it: 'generates the code of the time for every item',
      versions: [1],
      run: { items: [{ n: 1 }, { n: 2 }], now: 1_111_111_109_000, ...withKey },
      gives: [
        [
          { token: '081804', secondsRemaining: 1 },
          { token: '081804', secondsRemaining: 1 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'uses the digits and period in its options',
      versions: [1],
      run: { items: [{}], now: 59_000, parameters: { options: { digits: 8, period: 30 } }, ...withKey },
      gives: [[{ token: '94287082', secondsRemaining: 1 }]],
    },
    {
      it: 'rejects a label without an issuer',
      versions: [1],
      run: { items: [{}], node, credential: { secret: RFC_KEY, label: 'test' } },
      fails: '"issuer:username"',
    },
    {
      it: 'rejects a secret that is not Base32',
      versions: [1],
      run: { items: [{}], node, credential: { secret: 'not-base-32!' } },
      fails: 'not valid Base32',
    },
    {
      it: 'rejects a credential without a secret',
      versions: [1],
      run: { items: [{}], node, credential: { label: 'a:b' } },
      fails: 'is empty',
    },
    {
      it: 'rejects an invalid number of digits',
      versions: [1],
      run: { items: [{}], parameters: { options: { digits: 11 } }, ...withKey },
      fails: '"options.digits" must be an integer from 1 to 10',
    },
    {
      it: 'rejects a period that is not a number of seconds',
      versions: [1],
      run: { items: [{}], parameters: { options: { period: -30 } }, ...withKey },
      fails: '"options.period" must be an integer',
    },
  ],
};
