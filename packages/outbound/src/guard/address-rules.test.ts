import { parseAddress, refusingRule } from './address-rules';

const REFUSED: readonly (readonly [address: string, rule: string])[] = [
  ['127.0.0.1', 'loopback-address'],
  ['127.255.255.254', 'loopback-address'],
  ['::1', 'loopback-address'],
  ['10.0.0.1', 'private-address'],
  ['10.255.255.255', 'private-address'],
  ['172.16.0.1', 'private-address'],
  ['172.31.255.255', 'private-address'],
  ['192.168.1.1', 'private-address'],
  ['100.64.0.1', 'private-address'],
  ['100.100.100.200', 'private-address'],
  ['100.127.255.255', 'private-address'],
  ['fc00::1', 'private-address'],
  ['fd00:ec2::254', 'private-address'],
  ['fec0::1', 'private-address'],
  ['169.254.169.254', 'link-local-address'],
  ['169.254.170.2', 'link-local-address'],
  ['fe80::1', 'link-local-address'],
  ['febf::1', 'link-local-address'],
  ['168.63.129.16', 'metadata-address'],
  ['224.0.0.1', 'multicast-address'],
  ['239.255.255.255', 'multicast-address'],
  ['ff02::1', 'multicast-address'],
  ['::127.0.0.1', 'translated-address'],
  ['::8.8.8.8', 'translated-address'],
  ['::ffff:0:10.0.0.1', 'translated-address'],
  ['64:ff9b::10.0.0.1', 'translated-address'],
  ['64:ff9b:1::1', 'translated-address'],
  ['2002:7f00:1::', 'translated-address'],
  ['192.88.99.1', 'translated-address'],
  ['0.0.0.0', 'reserved-address'],
  ['0.1.2.3', 'reserved-address'],
  ['192.0.0.1', 'reserved-address'],
  ['192.0.0.192', 'reserved-address'],
  ['192.0.2.1', 'reserved-address'],
  ['198.18.0.1', 'reserved-address'],
  ['198.19.255.255', 'reserved-address'],
  ['198.51.100.1', 'reserved-address'],
  ['203.0.113.1', 'reserved-address'],
  ['240.0.0.1', 'reserved-address'],
  ['255.255.255.255', 'reserved-address'],
  ['100::1', 'reserved-address'],
  ['2001::1', 'reserved-address'],
  ['2001:db8::1', 'reserved-address'],
  ['3fff::1', 'reserved-address'],
  ['5f00::1', 'reserved-address'],
  ['4000::1', 'reserved-address'],
  ['::ffff:127.0.0.1', 'loopback-address'],
  ['::ffff:7f00:1', 'loopback-address'],
  ['0:0:0:0:0:ffff:a00:1', 'private-address'],
  ['::ffff:169.254.169.254', 'link-local-address'],
  ['fe80::1%eth0', 'unreadable-address'],
  ['::1%lo', 'unreadable-address'],
  ['not an address', 'unreadable-address'],
  ['', 'unreadable-address'],
  ['127.1', 'unreadable-address'],
];

const PUBLIC = [
  '8.8.8.8',
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450::1',
  '2001:4860:4860::8888',
  '2003::1',
  '::ffff:8.8.8.8',
];

describe('the address rules', () => {
  it.each(REFUSED)('refuse %s by %s', (address, rule) => {
    expect(refusingRule(address)).toBe(rule);
  });

  it('refuse :: even where only one of its two rules is left', () => {
    expect(refusingRule('::')).toMatch(/^(translated|reserved)-address$/);
  });

  it.each(PUBLIC)('let %s through', (address) => {
    expect(refusingRule(address)).toBeUndefined();
  });

  it('read every spelling of an IPv4-mapped address as the IPv4 address', () => {
    const spellings = ['::ffff:10.1.2.3', '::FFFF:10.1.2.3', '::ffff:a01:203', '0:0:0:0:0:ffff:0a01:0203'];
    expect(spellings.map(parseAddress)).toEqual(spellings.map(() => ({ text: '10.1.2.3', family: 'ipv4' })));
  });
});
