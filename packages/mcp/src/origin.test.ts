import { isOriginAllowed } from './origin';

describe('isOriginAllowed', () => {
  it('allows programs, which send no origin', () => {
    expect(isOriginAllowed(undefined, { host: 'weft.example' })).toBe(true);
  });

  it('allows the configured address', () => {
    const own = { publicOrigin: 'https://weft.example/', host: 'gateway:8080' };
    expect(isOriginAllowed('https://weft.example', own)).toBe(true);
  });

  it.each(['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'http://192.168.1.5:8080'])(
    'allows %s at that address',
    (origin) => {
      expect(isOriginAllowed(origin, { host: new URL(origin).host })).toBe(true);
    },
  );

  it('refuses a name that an attacker points to this server', () => {
    expect(isOriginAllowed('http://evil.example:8080', { host: 'evil.example:8080' })).toBe(false);
    expect(isOriginAllowed('http://127.0.0.1.evil.example', { host: '127.0.0.1.evil.example' })).toBe(false);
  });

  it.each(['null', '', 'evil', 'http://localhost:9999', 'https://weft.example.evil', 'file://'])(
    'refuses %j',
    (origin) => {
      expect(isOriginAllowed(origin, { publicOrigin: 'https://weft.example', host: 'localhost:8080' })).toBe(false);
    },
  );
});
