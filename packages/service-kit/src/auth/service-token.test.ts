import { createPrivateKey, sign } from 'node:crypto';
import { makeTestKeys } from '../testing';
import type { Principal } from './roles';
import { createTokenSigner, createTokenVerifier } from './service-token';

const MINUTE_MS = 60_000;
const START = Date.parse('2026-03-01T10:00:00Z');
const keys = makeTestKeys(['gateway']);
const METHOD = '/weft.executions.v1.ExecutionService/GetExecution';
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

  it('is valid only for its audience and only if its service signed it', () => {
    const signToken = signer();
    const verify = verifier();
    expect(verify(signToken('executions', METHOD, viewer), METHOD)).toEqual({ service: 'gateway', principal: viewer });
    expect(() => verify(signToken('workflows', METHOD), METHOD)).toThrow('another service');
    expect(() => verify(makeTestKeys(['gateway']).signerOf('gateway')('executions', METHOD), METHOD)).toThrow(
      'signature of the service token',
    );
    expect(() => verify('x.y', METHOD)).toThrow('malformed');
  });

  it('carries the scopes of a limited key, and is reused only for equal scopes', () => {
    const signToken = signer();
    const limited: Principal = { ...viewer, scopes: ['workflows:read'] };
    const other: Principal = { ...viewer, scopes: ['workflows:read', 'executions:read'] };
    const tokens = [viewer, limited, other].map((principal) => signToken('executions', METHOD, principal));
    expect(tokens.map((token) => verifier()(token, METHOD).principal)).toEqual([viewer, limited, other]);
    expect(signToken('executions', METHOD, limited)).toBe(tokens[1]);
  });

  it('carries the projects of a user, and is reused only for the same projects', () => {
    const signToken = signer();
    const principals: Principal[] = [viewer, { ...viewer, projects: ['p1'] }, { ...viewer, projects: ['p1', 'p2'] }];
    const tokens = principals.map((principal) => signToken('executions', METHOD, principal));
    expect(tokens.map((token) => verifier()(token, METHOD).principal)).toEqual(principals);
  });

  it('carries read-only projects and whether a run acts, and is reused only for the same values', () => {
    const signToken = signer();
    const principals: Principal[] = [
      { ...viewer, projects: ['p1'] },
      { ...viewer, reads: ['p1'] },
      { ...viewer, projects: ['p1'], reads: ['p2'] },
      { ...viewer, projects: ['p1'], inRun: true },
    ];
    const tokens = principals.map((principal) => signToken('executions', METHOD, principal));
    expect(tokens.map((token) => verifier()(token, METHOD).principal)).toEqual(principals);
  });

  it('of a limited key has no role that a verifier without scopes would grant', () => {
    const [claims = ''] = signer()('executions', METHOD, { ...viewer, scopes: [] }).split('.');
    const read: unknown = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(read).toMatchObject({ sub: 'u', limited: { role: 'viewer', scopes: [] } });
    expect(read).not.toHaveProperty('role');
  });

  it('has an invalid signature if its claims were changed', () => {
    const [claims = '', signature = ''] = signer()('executions', METHOD, viewer).split('.');
    const raised = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('viewer', 'owner'));
    expect(() => verifier()(`${raised.toString('base64url')}.${signature}`, METHOD)).toThrow(
      'signature of the service token',
    );
  });

  it('expires after a minute, even at a service that accepted it late in that minute', () => {
    const token = signer()('executions', METHOD, viewer);
    const [early, late, never] = [verifier(), verifier(), verifier()];
    expect(early(token, METHOD)).toMatchObject({ service: 'gateway' });
    now = START + MINUTE_MS - 1;
    expect(early(token, METHOD)).toMatchObject({ service: 'gateway' });
    expect(late(token, METHOD)).toMatchObject({ service: 'gateway' });
    now = START + MINUTE_MS + 1;
    for (const verify of [early, late, never]) expect(() => verify(token, METHOD)).toThrow('expired');
  });

  it('is reused for half of its lifetime, then replaced', () => {
    const signToken = signer();
    const first = signToken('executions', METHOD, viewer);
    now = START + MINUTE_MS / 2 - 1;
    expect(signToken('executions', METHOD, viewer)).toBe(first);
    now = START + MINUTE_MS / 2;
    const second = signToken('executions', METHOD, viewer);
    expect(second).not.toBe(first);
    now = START + MINUTE_MS + 1;
    expect(verifier()(second, METHOD)).toMatchObject({ service: 'gateway' });
  });

  it('is replaced at once when the wall clock was set back, and when it was refused', () => {
    const signToken = signer();
    now = START + 90_000;
    const ahead = signToken('executions', METHOD, viewer);
    now = START;
    expect(() => verifier()(ahead, METHOD)).toThrow('not yet');
    const current = signToken('executions', METHOD, viewer);
    expect(verifier()(current, METHOD)).toMatchObject({ service: 'gateway' });
    now = START + 1;
    expect(signToken('executions', METHOD, viewer)).toBe(current);
    expect(signToken('executions', METHOD, viewer, true)).not.toBe(current);
  });

  it('is reused by the monotonic clock', () => {
    const monotonic = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const signToken = signer();
    const first = signToken('executions', METHOD, viewer);
    monotonic.mockReturnValue(31_001);
    now = START + 1;
    expect(signToken('executions', METHOD, viewer)).not.toBe(first);
  });

  it('is never used for another audience, user or role than it was issued for', () => {
    const signToken = signer();
    const principals = [undefined, viewer, { ...viewer, role: 'owner' as const }, { ...viewer, userId: 'v' }];
    for (const audience of ['executions', 'workflows'])
      expect(
        principals.map((principal) => verifier(audience)(signToken(audience, METHOD, principal), METHOD).principal),
      ).toEqual(principals);
  });

  it('is valid only for its method, even at a service that accepted it before', () => {
    const verify = verifier();
    const token = signer()('executions', METHOD, viewer);
    expect(verify(token, METHOD)).toMatchObject({ principal: viewer });
    expect(() => verify(token, '/weft.executions.v1.ExecutionService/DeleteExecution')).toThrow(
      'another service or method',
    );
  });

  describe('while the key of its service is replaced', () => {
    const next = makeTestKeys(['gateway']);
    const both = `${keys.publicKeys},${next.publicKeys}`;
    const [oldToken, newToken] = [keys, next].map((pair) => pair.signerOf('gateway'));

    it('is valid with the old and the new key, whatever their order', () => {
      for (const publicKeys of [both, `${next.publicKeys},${keys.publicKeys}`]) {
        const verify = createTokenVerifier('executions', publicKeys);
        for (const signToken of [oldToken, newToken])
          expect(verify(signToken?.('executions', METHOD) ?? '', METHOD)).toMatchObject({ service: 'gateway' });
      }
    });

    it('is refused once its key is no longer listed', () => {
      const verify = createTokenVerifier('executions', next.publicKeys);
      expect(() => verify(oldToken?.('executions', METHOD) ?? '', METHOD)).toThrow('signature of the service token');
      expect(verify(newToken?.('executions', METHOD) ?? '', METHOD)).toMatchObject({ service: 'gateway' });
    });

    it('follows key changes at both ends while the processes run', () => {
      let [privateKey, publicKeys] = [keys.privateKeyOf('gateway'), keys.publicKeys];
      const signToken = createTokenSigner('gateway', () => privateKey);
      const verify = createTokenVerifier('executions', () => publicKeys);
      const before = signToken('executions', METHOD);
      expect(verify(before, METHOD)).toMatchObject({ service: 'gateway' });
      publicKeys = both;
      privateKey = next.privateKeyOf('gateway');
      const after = signToken('executions', METHOD);
      expect(after).not.toBe(before);
      for (const token of [before, after]) expect(verify(token, METHOD)).toMatchObject({ service: 'gateway' });
      publicKeys = next.publicKeys;
      expect(() => verify(before, METHOD)).toThrow('signature of the service token');
      expect(verify(after, METHOD)).toMatchObject({ service: 'gateway' });
    });

    it('never passes as a token of another service whose key signed it', () => {
      const verify = createTokenVerifier('executions', both.replace('gateway=', 'runner='));
      expect(() => verify(oldToken?.('executions', METHOD) ?? '', METHOD)).toThrow('signature of the service token');
    });
  });

  it('is not checked against unreadable public keys: they are reported at start', () => {
    expect(() => createTokenVerifier('executions', 'gateway=AAAA')).toThrow('the key of "gateway"');
  });

  describe('that a service signed itself', () => {
    const key = createPrivateKey({
      key: Buffer.from(keys.privateKeyOf('gateway'), 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
    const [genuine = ''] = keys.signerOf('gateway')('executions', METHOD).split('.');
    const { kid }: { readonly kid: string } = JSON.parse(Buffer.from(genuine, 'base64url').toString());
    const claims = { iss: 'gateway', kid, aud: 'executions', method: METHOD, iat: START, exp: START + MINUTE_MS };
    const tokenOf = (text: string): string =>
      `${Buffer.from(text).toString('base64url')}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
    const signed = (more: object): string => tokenOf(JSON.stringify({ ...claims, ...more }));

    it('is valid for at most a minute from now', () => {
      expect(verifier()(signed({}), METHOD)).toEqual({ service: 'gateway', principal: undefined });
      for (const times of [
        { exp: START + MINUTE_MS + 1 },
        { exp: Date.parse('3000-01-01') },
        { iat: Date.parse('3000-01-01'), exp: Date.parse('3000-01-01') + MINUTE_MS },
      ])
        expect(() => verifier()(signed(times), METHOD)).toThrow('more than 60 s');
      for (const text of ['1e999', '"tomorrow"', 'null', '1.5'])
        expect(() => verifier()(tokenOf(JSON.stringify(claims).replace(/"exp":\d+/, `"exp":${text}`)), METHOD)).toThrow(
          'malformed',
        );
      expect(() => verifier()(signed({ iat: undefined }), METHOD)).toThrow('malformed');
    });

    it('is refused with an unknown role or half a user, instead of counting as the service itself', () => {
      const limited = { role: 'owner', scopes: [] };
      for (const user of [
        { limited },
        { sub: 'u', limited: { ...limited, role: 'root' } },
        { sub: 'u', role: 'root' },
        { sub: 'u' },
        { role: 'owner' },
        { sub: '', role: 'owner' },
      ])
        expect(() => verifier()(signed(user), METHOD)).toThrow('unknown role');
    });

    it('is refused with both a role and scopes, and with malformed scopes', () => {
      for (const limited of [{ role: 'owner', scopes: 'all' }, { role: 'owner' }, { role: 'owner', scopes: [1] }, null])
        expect(() => verifier()(signed({ sub: 'u', limited }), METHOD)).toThrow('malformed');
      const both = { sub: 'u', role: 'owner', limited: { role: 'owner', scopes: [] } };
      expect(() => verifier()(signed(both), METHOD)).toThrow('malformed');
    });

    it('has exactly two parts in canonical encoding', () => {
      const token = signed({});
      for (const changed of [
        `${token}.x.y`,
        `${token}.AAAA`,
        `${token}.`,
        `${token}=`,
        `.${token}`,
        token.replace('.', '..'),
        ` ${token}`,
      ])
        expect(() => verifier()(changed, METHOD)).toThrow('malformed');
    });
  });
});
