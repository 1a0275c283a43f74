import { makeTestKeys } from '../testing';
import type { Principal } from './roles';
import { createTokenSigner, createTokenVerifier } from './service-token';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-03-01T10:00:00Z');
const keys = makeTestKeys(['gateway']);
const viewer: Principal = { userId: 'u', role: 'viewer' };

describe('a service token', () => {
  let now = START;
  beforeEach(() => {
    now = START;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  });
  afterEach(() => jest.restoreAllMocks());
  const signer = () => createTokenSigner('gateway', keys.privateKeyOf('gateway'));
  const verifier = (audience = 'executions') => createTokenVerifier(audience, keys.publicKeys);

  it('holds for its audience alone, and only if its service signed it', () => {
    const sign = signer();
    const verify = verifier();
    expect(verify(sign('executions', viewer))).toEqual({ service: 'gateway', principal: viewer });
    expect(() => verify(sign('workflows'))).toThrow('another service');
    expect(() => verify(makeTestKeys(['gateway']).signerOf('gateway')('executions'))).toThrow(
      'signature of the service token',
    );
    expect(() => verify('x.y')).toThrow('malformed');
  });

  it('has an invalid signature if its claims were changed', () => {
    const [claims = '', signature = ''] = signer()('executions', viewer).split('.');
    const raised = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('viewer', 'owner'));
    expect(() => verifier()(`${raised.toString('base64url')}.${signature}`)).toThrow('signature of the service token');
  });

  it('expires after a minute, also at a service that accepted it before, however late in that minute', () => {
    const token = signer()('executions', viewer);
    const [early, late, never] = [verifier(), verifier(), verifier()];
    expect(early(token)).toMatchObject({ service: 'gateway' });
    now = START + MINUTE_MS - 1;
    expect(early(token)).toMatchObject({ service: 'gateway' });
    expect(late(token)).toMatchObject({ service: 'gateway' });
    now = START + MINUTE_MS + 1;
    for (const verify of [early, late, never]) expect(() => verify(token)).toThrow('expired');
  });

  it('is reused for half of its lifetime, and replaced after that', () => {
    const sign = signer();
    const first = sign('executions', viewer);
    now = START + MINUTE_MS / 2 - 1;
    expect(sign('executions', viewer)).toBe(first);
    now = START + MINUTE_MS / 2;
    const second = sign('executions', viewer);
    expect(second).not.toBe(first);
    now = START + MINUTE_MS + 1;
    expect(verifier()(second)).toMatchObject({ service: 'gateway' });
  });

  it('is never used for another audience, user or role than it was made for', () => {
    const sign = signer();
    const principals = [undefined, viewer, { ...viewer, role: 'owner' as const }, { ...viewer, userId: 'v' }];
    for (const audience of ['executions', 'workflows'])
      expect(principals.map((principal) => verifier(audience)(sign(audience, principal)).principal)).toEqual(
        principals,
      );
  });
});
