import type { KindCases } from '../testing/node-case';

const items = [{ a: 1 }, { a: 2 }];
const credential = { node: { credentials: { crypto: { id: '1', name: 'Keys' } } }, credential: { hmacSecret: 'key' } };
const HMAC = '6e9ef29b75fffc5b7abae527d58fdadb2fe42e7219011976917343065f58ed4a';

export const cryptoCases: KindCases = {
  kind: 'crypto',
  cases: [
    {
      it: 'hashes with SHA-256 by default',
      versions: [2],
      run: { items: [{}], parameters: { value: 'hi' } },
      gives: [[{ data: '8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4' }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'hashes with MD5 into the field data by default',
      versions: [1],
      run: { items, parameters: { value: 'hi' } },
      gives: [
        [
          { a: 1, data: '49f68a5c8493ec2c0bf489821c21fc3b' },
          { a: 2, data: '49f68a5c8493ec2c0bf489821c21fc3b' },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'hashes with the secret of its parameter',
      versions: [1],
      run: { items: [{}], parameters: { action: 'hmac', type: 'SHA256', value: 'message', secret: 'key' } },
      gives: [[{ data: HMAC }]],
    },
    {
      it: 'hashes with the secret of its credential',
      versions: [2],
      run: { items: [{}], parameters: { action: 'hmac', type: 'SHA256', value: 'message' }, ...credential },
      gives: [[{ data: HMAC }]],
    },
    {
      it: 'generates a random value of the stated length',
      versions: [1, 2],
      run: { items: [{}], parameters: { action: 'generate', encodingType: 'hex', stringLength: 8 } },
      gives: [[{ data: expect.stringMatching(/^[0-9a-f]{8}$/) }]],
    },
  ],
};
