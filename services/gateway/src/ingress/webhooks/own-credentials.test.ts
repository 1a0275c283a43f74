import { withoutOwnCredentials } from './own-credentials';

const KEY = `weft_${'k'.repeat(43)}`;

describe("a caller's headers in run data", () => {
  it('contain no API key of this service, whatever header it was sent in', () => {
    const headers = {
      'x-svc-api-key': 'anything',
      authorization: `Bearer ${KEY}`,
      'x-copy': `key=${KEY}`,
      'x-own': 'weft_ is no key',
    };
    expect(withoutOwnCredentials(headers, false)).toEqual({ 'x-own': 'weft_ is no key' });
  });

  it('contain no session of the console, but all other cookies', () => {
    expect(withoutOwnCredentials({ cookie: 'a=1; weft_session=s; b=2' }, false)).toEqual({ cookie: 'a=1; b=2' });
    expect(withoutOwnCredentials({ cookie: 'weft_session=s', accept: '' }, false)).toEqual({ accept: '' });
  });

  it('contain Basic only if the API does not accept it', () => {
    const headers = { authorization: 'Basic dTpw' };
    expect(withoutOwnCredentials(headers, false)).toEqual(headers);
    expect(withoutOwnCredentials(headers, true)).toEqual({});
    expect(withoutOwnCredentials({ authorization: 'Bearer x' }, true)).toEqual({ authorization: 'Bearer x' });
  });
});
