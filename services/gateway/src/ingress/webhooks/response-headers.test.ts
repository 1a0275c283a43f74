import { CONSOLE_POLICY, passes } from './response-headers';

const OWN_HOST = { isOwnHost: true, permitted: new Set<string>() };

describe('headers of a webhook response', () => {
  it.each([
    'accept-ch',
    'alt-svc',
    'clear-site-data',
    'content-security-policy',
    'content-security-policy-report-only',
    'critical-ch',
    'document-policy',
    'nel',
    'origin-agent-cluster',
    'report-to',
    'reporting-endpoints',
    'secure-session-registration',
    'service-worker-allowed',
    'set-login',
    'speculation-rules',
    'strict-transport-security',
    'use-as-dictionary',
    'x-content-type-options',
    'x-accel-redirect',
    'x-sendfile',
    'some-header-of-the-future',
  ])('do not include %s on the host of the console, but do on their own', (name) => {
    expect(passes(name, CONSOLE_POLICY)).toBe(false);
    expect(passes(name, OWN_HOST)).toBe(true);
  });

  it.each(['x-weft-execution-id', 'x-weft-anything'])('never include %s, which only the gateway sets', (name) => {
    const permitted = new Set([name]);
    expect([false, true].map((isOwnHost) => passes(name, { isOwnHost, permitted }))).toEqual([false, false]);
  });

  it.each(['content-type', 'location', 'set-cookie', 'retry-after', 'x-anything', 'hx-trigger', 'ce-id', 'link'])(
    'include %s',
    (name) => expect(passes(name, CONSOLE_POLICY)).toBe(true),
  );

  it.each(['connection', 'transfer-encoding', 'content-length', 'upgrade', 'keep-alive', 'te', 'trailer'])(
    'include %s nowhere',
    (name) => {
      expect(passes(name, { isOwnHost: true, permitted: new Set([name]) })).toBe(false);
    },
  );

  it('include what the operator permits', () => {
    expect(passes('set-login', { isOwnHost: false, permitted: new Set(['set-login']) })).toBe(true);
  });
});
