const PUBLIC_4 = '93.184.';
const PUBLIC_6 = '2606:2800:220:1:';

/** Public addresses, one for each number up to 65,000. */
export const publicAddress = (number: number): string => `${PUBLIC_4}${number >> 8}.${number & 255}`;
export const publicIpv6Address = (number: number): string => `${PUBLIC_6}:${number.toString(16)}`;

/** True for a public address. Connections to any other are forbidden. */
export const isPublic = (address: string): boolean => address.startsWith(PUBLIC_4) || address.startsWith(PUBLIC_6);

/** Addresses that no workflow may reach, at least one of each network. */
export const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.254', '172.16.0.1', '172.31.255.254', '192.168.0.1', 'fd00::1', 'fec0::1'],
  carrier: ['100.64.0.1', '100.127.255.254'],
  'link-local': ['169.254.0.1', 'fe80::1'],
  metadata: [
    ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '168.63.129.16', '192.0.0.192'],
    ...['fd00:ec2::254', 'fd20:ce::254'],
  ],
  multicast: ['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff05::2'],
  unspecified: ['0.0.0.0', '::', '0.1.2.3'],
  reserved: [
    ...['192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '255.255.255.255'],
    ...['100::1', '2001:db8::1', '2001::7f00:1', '3fff::1', '5f00::1', '4000::1'],
  ],
  translated: [
    ...['::127.0.0.1', '::10.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
    ...['::ffff:0:7f00:1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::7f00:1', '2002:7f00:1::'],
    ...['2002:a9fe:a9fe::1', '192.88.99.1'],
  ],
};

/**
 * Forbidden addresses that are never counted as such: the kernel makes no connection to them, or makes it to another
 * one of these networks.
 */
export const NOT_COUNTED: readonly string[] = [
  ...['224.0.0.1', '239.255.255.250', 'ff02::1', 'ff05::2', '255.255.255.255', 'fe80::1'],
  ...['0.0.0.0', '::', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254'],
];

/** Other ways to write a forbidden address, as the host of a URL or of a socket. */
export const SPELLINGS: readonly string[] = [
  // Decimal, octal, hexadecimal, short.
  ...['2130706433', '0x7f000001', '0X7F000001', '017700000001', '0177.0.0.1', '0177.0000.0.01', '0x7F.0.0.1'],
  ...['0x7f.1', '127.1', '127.0.1', '0', '0x0', '00.0.0.0', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376'],
  ...['169.254.43518', '169.16689662', '0xA9.254.0251.0xfe', '167772161', '10.1', '012.1', '192.168.257', '3232235521'],
  // Trailing dots, case, brackets.
  ...['127.0.0.1.', '169.254.169.254.', '2130706433.', '0x7f.1.', '127.1.', '[::1]', '[::FFFF:127.0.0.1]'],
  ...[
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[0:0:0:0:0:ffff:10.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[::ffff:0:127.0.0.1]',
  ],
  ...['localhost', 'LOCALHOST', 'LocalHost', 'localhost.', 'localhost.localdomain'],
  // Digits and dots of other scripts.
  ...['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '𝟭𝟮𝟳.𝟬.𝟬.𝟭', '０x７f.1'],
  ...['ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'ｌｏｃａｌｈｏｓｔ', 'local\u00adhost', '127.0.0.\u200b1'],
  // Zone ids.
  ...['::1%lo', '[::1%lo]', '[::1%25lo]', 'fe80::1%lo', '[fe80::1%25lo]', '::ffff:127.0.0.1%lo', '127.0.0.1%lo'],
  // Escapes, and characters that a URL or a proxy could read as a host and a port.
  ...['127%2e0%2e0%2e1', '%31%32%37.0.0.1', '127.0.0.1%00.public.example', '127.0.0.1%20', '127.0.0.1 ', ' 127.0.0.1'],
  ...['127.0.0.1:9000#.public.example', '127.0.0.1:9000/.public.example', '127.0.0.1:9000?.public.example'],
  ...['public.example@127.0.0.1', 'public.example:80@127.0.0.1', 'public.example%40127.0.0.1', '127.0.0.1\\.example'],
  ...['127.0.0.1#@public.example', '127.0.0.1\\@public.example', '127.0.0.1\t', '127.0.0.1\r\nx: y', '127.0.0.1\n'],
  ...['public.example,127.0.0.1', '127.0.0.1,public.example', 'public.example 127.0.0.1', '127.0.0.1;public.example'],
];

/** URLs that contain a forbidden host next to another one, or use another scheme. */
export const URLS: readonly string[] = [
  ...['http://public.example@127.0.0.1/', 'http://public.example:80@127.0.0.1/', 'http://u:p@127.0.0.1:80/'],
  ...['http://127.0.0.1\\@public.example/', 'http://127.0.0.1#@public.example/', 'http://public.example#@127.0.0.1/'],
  ...['http:127.0.0.1/', 'http:/127.0.0.1/', 'http:\\\\127.0.0.1\\', 'http:////127.0.0.1/', '//127.0.0.1/'],
  ...[
    ' http://127.0.0.1/',
    'HTTP://127.0.0.1/',
    'http://127.0.0.1:80:80/',
    'http://127.0.0.1:0/',
    'ht\ntp://127.0.0.1/',
  ],
  ...['ftp://127.0.0.1/', 'file:///etc/passwd', 'gopher://127.0.0.1:80/_', 'data:text/plain,x', 'ws://127.0.0.1/'],
  ...[
    'unix:///var/run/docker.sock',
    'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
    'dict://127.0.0.1:80/',
    'blob:http://127.0.0.1/',
  ],
];
