import type { KindCases } from '../testing/node-case';

const withSecret = {
  node: { credentials: { jwtAuth: { id: '1', name: 'Key' } } },
  credential: { keyType: 'passphrase', secret: 'secret', algorithm: 'HS256' },
};
const HEADER = 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9';

export const jwtCases: KindCases = {
  kind: 'jwt',
  cases: [
    {
      it: 'signs claims',
      versions: [1],
      run: { items: [{ n: 1 }], parameters: { useJson: true, claimsJson: '{"sub":"x"}' }, ...withSecret },
      gives: [[{ token: expect.stringMatching(new RegExp(`^${HEADER}\\.[\\w-]+\\.[\\w-]{43}$`)) }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'refuses a token that another key has signed',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'verify', token: `${HEADER}.eyJzdWIiOiJ4In0.AAAA` }, ...withSecret },
      fails: 'invalid signature',
    },
    {
      it: 'reads a token without proof',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'decode', token: `${HEADER}.eyJzdWIiOiJ4In0.AAAA` } },
      gives: [[{ payload: { sub: 'x' } }]],
    },
  ],
};
