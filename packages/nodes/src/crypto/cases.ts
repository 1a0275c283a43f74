import { constants, createSign, generateKeyPairSync, publicEncrypt } from 'node:crypto';
import type { KindCases } from '../testing/cases/node-case';

const items = [{ a: 1 }, { a: 2 }];
const credential = { node: { credentials: { crypto: { id: '1', name: 'Keys' } } }, credential: { hmacSecret: 'key' } };
/** A short key, since every test that loads this file generates it. */
const KEYS = generateKeyPairSync('rsa', {
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const keys = {
  ...credential,
  credential: {
    signPrivateKey: KEYS.privateKey,
    encryptionPublicKey: KEYS.publicKey,
    encryptionPrivateKey: KEYS.privateKey,
    encryptionPassphrase: 'correct horse',
  },
};
const SIGN = { action: 'sign', algorithm: 'RSA-SHA256', value: 'abc' };
const SIGNATURE = createSign('RSA-SHA256').update('abc').sign(KEYS.privateKey, 'hex');
const ENCRYPTED = publicEncrypt(
  { key: KEYS.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
  Buffer.from('text'),
).toString('base64');
/** `text`, encrypted with the passphrase. */
const LOCKED = 'ASVuFXdSRiqCZvNNp1x9VSiMpQCwfnxbho3+YK2ZsOwZy9O18huZn7UZJRQxM/VBRg==';
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
      it: 'generates a random value of the given length',
      versions: [1, 2],
      run: { items: [{}], parameters: { action: 'generate', encodingType: 'hex', stringLength: 8 } },
      gives: [[{ data: expect.stringMatching(/^[0-9a-f]{8}$/) }]],
    },
    {
      it: 'signs with the key of its parameter',
      versions: [1],
      run: { items: [{}], parameters: { ...SIGN, privateKey: KEYS.privateKey } },
      gives: [[{ data: SIGNATURE }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'signs with the key of its credential',
      versions: [2],
      run: { items: [{}], parameters: SIGN, ...keys },
      gives: [[{ data: SIGNATURE }]],
      pairs: [[{ item: 0 }]],
    },
    ...(['symmetric', 'asymmetric'] as const).flatMap((mode) => [
      {
        it: `encrypts (${mode})`,
        versions: [2],
        run: { items: [{ t: 'text' }], parameters: { action: 'encrypt', mode, value: '={{ $json.t }}' }, ...keys },
        gives: [[{ t: 'text', data: expect.stringMatching(/^[\w+/]{60,}=*$/) }]],
      },
      {
        it: `refuses to decrypt what it did not encrypt (${mode})`,
        versions: [2],
        run: { items: [{}], parameters: { action: 'decrypt', mode, value: 'AAAA' }, ...keys },
        fails: mode === 'symmetric' ? 'incomplete' : 'Decryption failed',
      },
    ]),
    {
      it: 'decrypts with its key',
      versions: [2],
      run: { items: [{}], parameters: { action: 'decrypt', mode: 'asymmetric', value: ENCRYPTED }, ...keys },
      gives: [[{ data: 'text' }]],
    },
    {
      it: 'decrypts with its passphrase',
      versions: [2],
      run: { items: [{}], parameters: { action: 'decrypt', value: LOCKED }, ...keys },
      gives: [[{ data: 'text' }]],
    },
    {
      it: 'reports an unknown algorithm',
      versions: [1],
      run: { items: [{}], parameters: { action: 'sign', algorithm: 'x', privateKey: KEYS.privateKey } },
      fails: 'is not supported',
    },
    {
      it: 'requires a credential for operations with a secret',
      versions: [2],
      run: { items: [{}], parameters: { action: 'hmac', value: 'message' } },
      fails: 'names no credential of type crypto',
    },
    {
      it: 'limits the length of a generated value',
      versions: [1, 2],
      run: { items: [{}], parameters: { action: 'generate', encodingType: 'hex', stringLength: 1e9 } },
      fails: 'from 1 to 65536',
    },
    {
      it: 'reports a field without a file',
      versions: [1, 2],
      run: { items: [{}], parameters: { binaryData: true } },
      fails: 'The item has no file in the field "data"',
    },
  ],
};
