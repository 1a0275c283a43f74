import { isOwnCookie } from './own-cookies';
import { endedCookies, readSessionToken, sessionCookies } from './session-cookie';

describe('a cookie of this service', () => {
  it.each([
    'weft_session',
    'weft_sign_in',
    'weft_anything',
    'Weft_Session',
    ' weft_session ',
    '\u00a0weft_session',
    '__Host-weft_session',
    '__SECURE-weft_session',
    '__HostHttp-weft_x',
  ])('is known as %j', (name) => expect(isOwnCookie(name)).toBe(true));

  it.each(['session', 'my_weft_session', 'weft', 'x-weft_session'])('is not %j', (name) => {
    expect(isOwnCookie(name)).toBe(false);
  });
});

describe('the session cookie', () => {
  const expiresAt = new Date(Date.now() + 60_000);

  it('over https can only be set by this host, and only that name counts', () => {
    const [own, former, ...rest] = sessionCookies('t', expiresAt, true);
    expect(own).toMatch(/^__Host-weft_session=t; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
    // For gateways of release 0.1.0.
    expect(former).toMatch(/^weft_session=t; Path=\/settings; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
    expect(rest).toEqual([]);
    const cookie = 'weft_session=planted; __Host-weft_session=own';
    expect(readSessionToken({ headers: { cookie } }, true)).toBe('own');
    expect(readSessionToken({ headers: { cookie: 'weft_session=planted' } }, true)).toBeUndefined();
  });

  it('over http is sent only below /console and /settings', () => {
    expect(sessionCookies('t', expiresAt, false)).toEqual([
      expect.stringMatching(/^weft_session=t; Path=\/console; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
      expect.stringMatching(/^weft_session=t; Path=\/settings; HttpOnly; SameSite=Strict; Max-Age=\d+$/),
    ]);
    expect(readSessionToken({ headers: { cookie: 'weft_session=t' } }, false)).toBe('t');
  });

  it('ends under every name', () => {
    expect(endedCookies(true).map((line) => line.split('=')[0])).toEqual(['__Host-weft_session', 'weft_session']);
  });
});
