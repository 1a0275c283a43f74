import type { JsonObject } from '@weft/node-catalogue';
import type { KindCases } from '../testing/cases/node-case';

const withSecret = {
  node: { credentials: { jwtAuth: { id: '1', name: 'Key' } } },
  credential: { keyType: 'passphrase', secret: 'secret', algorithm: 'HS256' },
};
const encoded = (json: JsonObject): string => Buffer.from(JSON.stringify(json)).toString('base64url');
const HEADER_WITH_FIELD = encoded({ alg: 'HS256', typ: 'JWT', cty: 'x' });
const DEFAULT_CLAIMS = encoded({ my_field_1: 'value 1', my_field_2: 'value 2', iat: 1_700_000_000 });
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
      it: 'adds the given fields to the header',
      versions: [1],
      run: {
        items: [{}],
        parameters: { claims: { audience: 'a', expiresIn: 5 }, headerClaims: '{"cty":"x"}' },
        now: 1_700_000_000_000,
        ...withSecret,
      },
      gives: [[{ token: expect.stringMatching(new RegExp(`^${HEADER_WITH_FIELD}\\.[\\w-]+\\.[\\w-]{43}$`)) }]],
    },
    {
      it: 'signs its default JSON claims',
      versions: [1],
      run: { items: [{}], parameters: { useJson: true }, now: 1_700_000_000_000, ...withSecret },
      gives: [[{ token: expect.stringMatching(new RegExp(`^${HEADER}\\.${DEFAULT_CLAIMS}\\.[\\w-]{43}$`)) }]],
    },
    {
      it: 'rejects a token signed with another key',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'verify', token: `${HEADER}.eyJzdWIiOiJ4In0.AAAA` }, ...withSecret },
      fails: 'invalid signature',
    },
    {
      it: 'decodes a token without verification',
      versions: [1],
      run: { items: [{}], parameters: { operation: 'decode', token: `${HEADER}.eyJzdWIiOiJ4In0.AAAA` } },
      gives: [[{ payload: { sub: 'x' } }]],
    },
  ],
};
