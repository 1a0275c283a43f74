import { parseAllowList } from './allow-list';

describe('the allow list', () => {
  const list = parseAllowList([
    'api.internal',
    '*.svc.cluster.local',
    'localhost:3000',
    '10.1.0.0/16',
    '192.168.7.7',
    '172.16.0.0/12:8443',
    'fd00:1::/32',
    '[::1]:9000',
    ' ',
    'API.Upper.',
  ]);

  it.each([
    ['api.internal', 80, true],
    ['API.INTERNAL.', 80, true],
    ['x.api.internal', 80, false],
    ['api.internal.evil.example', 80, false],
    ['a.svc.cluster.local', 443, true],
    ['b.a.svc.cluster.local', 443, true],
    ['svc.cluster.local', 443, false],
    ['evilsvc.cluster.local', 443, false],
    ['localhost', 3000, true],
    ['localhost', 3001, false],
    ['api.upper', 80, true],
  ])('answers for host %s on port %d: %s', (host, port, allowed) => {
    expect(list.allowsHost(host, port)).toBe(allowed);
  });

  it.each([
    ['10.1.255.1', 80, true],
    ['10.2.0.1', 80, false],
    ['::ffff:10.1.0.1', 80, true],
    ['192.168.7.7', 80, true],
    ['192.168.7.8', 80, false],
    ['172.20.0.1', 8443, true],
    ['172.20.0.1', 443, false],
    ['fd00:1::5', 80, true],
    ['fd00:2::5', 80, false],
    ['::1', 9000, true],
    ['::1', 9001, false],
    ['::1%lo', 9000, false],
  ])('answers for address %s on port %d: %s', (address, port, allowed) => {
    expect(list.allowsAddress(address, port)).toBe(allowed);
  });

  it.each([
    '*',
    '*.',
    '10.0.0.0/33',
    'http://x',
    'a b',
    'host:0',
    'host:70000',
    '10.0.0.1:0',
    '::ffff:10.0.0.0/104',
    'x/8',
    '-x',
  ])('refuses the entry %s by name', (entry) => {
    expect(() => parseAllowList([entry])).toThrow(`"${entry}"`);
  });
});
