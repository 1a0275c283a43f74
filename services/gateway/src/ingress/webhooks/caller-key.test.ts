import { callerOf, keyOfCaller } from './caller-key';

const jwt = (claims: object) => ({
  authentication: 'jwtAuth',
  credentialId: 'c',
  claimsJson: JSON.stringify(claims),
  secretHeader: 'authorization',
});
const header = { authentication: 'headerAuth', credentialId: 'c', claimsJson: '', secretHeader: 'x-key' };
const signature = { authentication: 'signature', credentialId: 'c', claimsJson: '', secretHeader: 'x-signature' };

describe('the caller of a webhook', () => {
  it('is told by the claims of its token, not by the token', () => {
    const caller = callerOf({ authorization: 'Bearer 1' }, jwt({ sub: 'alice', iat: 1, exp: 2, nbf: 1, jti: 'a' }));
    expect(callerOf({ authorization: 'Bearer 2' }, jwt({ exp: 9, iat: 8, sub: 'alice' }))).toBe(caller);
    expect(callerOf({ authorization: 'Bearer 1' }, jwt({ sub: 'mallory' }))).not.toBe(caller);
    // Tokens without claims about their holders are told apart by their text.
    expect(callerOf({ authorization: 'Bearer 1' }, jwt({ iat: 1 }))).not.toBe(
      callerOf({ authorization: 'Bearer 2' }, jwt({ iat: 1 })),
    );
  });

  it.each([
    ['Authorization', { authorization: 'Basic a' }, { authorization: 'Basic b' }],
    ['a cookie', { cookie: 'session=a' }, { cookie: 'session=b' }],
    ['an API key', { 'x-api-key': 'a' }, { 'x-api-key': 'b' }],
    ['no proof', { authorization: 'Bearer a' }, {}],
  ])('is told by %s that the workflow may check itself', (_, one, other) => {
    expect(callerOf(one, undefined)).toBe(callerOf({ ...one, 'x-request-id': '7' }, undefined));
    expect(callerOf(one, undefined)).not.toBe(callerOf(other, undefined));
    expect(callerOf({ ...one, 'x-key': 'k' }, header)).not.toBe(callerOf({ ...other, 'x-key': 'k' }, header));
  });

  it('is told by the header that the credential names', () => {
    expect(callerOf({ 'x-key': 'old' }, header)).not.toBe(callerOf({ 'x-key': 'new' }, header));
  });

  it('that signs is the same with every signature', () => {
    expect(callerOf({ 'x-signature': 't=1,v=a' }, signature)).toBe(callerOf({ 'x-signature': 't=2,v=b' }, signature));
  });

  it('without any proof has no name', () => {
    expect(callerOf({ 'user-agent': 'x' }, undefined)).toBe('');
  });
});

describe('the key of a repeated call', () => {
  it('is that of the sender without a proof, and differs between callers', () => {
    expect(keyOfCaller('order-7', '')).toBe('order-7');
    expect(keyOfCaller('', 'alice')).toBe('');
    const keys = ['alice', 'mallory'].map((caller) => keyOfCaller('order-7', caller));
    expect(new Set([...keys, keyOfCaller('order-8', 'alice')]).size).toBe(3);
    expect(keyOfCaller('order-7', 'alice')).toBe(keys[0]);
    expect(keys[0]?.length).toBeLessThan(100);
  });

  it('cannot be sent by another caller: no Idempotency-Key may begin like it', () => {
    expect(keyOfCaller('order-7', 'alice')).not.toMatch(/^[\x20-\x7e]/);
  });
});
