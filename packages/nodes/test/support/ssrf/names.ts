import type { DnsRecord, LookUp } from '@weft/local-stack';
import { publicAddress, publicIpv6Address } from './addresses';

const PUBLIC = publicAddress(1);

/** Names with a forbidden address, below `attacker.example`. */
const FORBIDDEN_NAMES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1'],
  private: ['10.0.0.1'],
  carrier: ['100.64.0.1'],
  metadata: ['169.254.169.254'],
  unspecified: ['0.0.0.0'],
  loopback6: ['::1'],
  mapped6: ['0:0:0:0:0:ffff:7f00:1'],
  nat64: ['64:ff9b::7f00:1'],
  local6: ['fd00::1'],
  // One of several.
  mixed: [PUBLIC, '10.9.8.7'],
  mixed6: [PUBLIC, '::1'],
  last: [...Array.from({ length: 20 }, (_, index) => publicAddress(index)), '127.0.0.1'],
};

export const NAMES: readonly string[] = [
  ...Object.keys(FORBIDDEN_NAMES).map((name) => `${name}.attacker.example`),
  ...['LOOPBACK.attacker.EXAMPLE', 'loopback.attacker.example.'],
];

/** Names that resolve differently later; `*` is different in each use. */
export const SHIFTING: readonly string[] = [
  // Public at the first look-up, at the first two, and at the first three.
  ...[1, 2, 3].map((times) => `*.rebind${times}.attacker.example`),
  // Known only from the second look-up on.
  '*.appears.attacker.example',
  // The response takes a second and a half.
  '*.late.attacker.example',
];

/** Redirect targets of the hosts below `redirect.example`. Their first part is the status, `302-loopback`. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  loopback: 'http://127.0.0.1/x',
  secure: 'https://127.0.0.1/x',
  short: 'http://127.1/x',
  number: 'http://2130706433/x',
  mapped: 'http://[::ffff:127.0.0.1]/x',
  loopback6: 'http://[::1]/x',
  metadata: 'http://169.254.169.254/latest/meta-data/',
  name: 'http://loopback.attacker.example/x',
  mixed: 'http://mixed.attacker.example/x',
  relative: '//10.0.0.1/x',
  user: 'http://public.example@127.0.0.1/x',
  dot: 'http://127.0.0.1./x',
  wide: 'http://①②⑦.⓪.⓪.①/x',
  backslash: '\\\\127.0.0.1\\x',
  ftp: 'ftp://127.0.0.1/x',
  file: 'file:///etc/passwd',
  gopher: 'gopher://127.0.0.1:80/_x',
  // Through another public host.
  chain: 'http://307-loopback.redirect.example/x',
  longer: 'http://308-chain.redirect.example/x',
};
export const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

const LATE_MS = 1_500;

/** The responses of the corpus' name server. */
export const lookUpNames = (): LookUp => {
  const asked = new Map<string, number>();
  /** Number of the query for the address of a name; queries of other types count as part of it. */
  const timesOf = (name: string, type: string): number => {
    const times = (asked.get(name) ?? 0) + (type === 'A' ? 1 : 0);
    asked.set(name, times);
    return Math.max(times, 1);
  };
  return (name, type): readonly DnsRecord[] | undefined | Promise<readonly DnsRecord[]> => {
    const known = FORBIDDEN_NAMES[name.replace(/\.attacker\.example$/, '')];
    if (known !== undefined) return known;
    if (name === 'public.example' || name.endsWith('.redirect.example')) return [PUBLIC];
    const [, family, number = ''] = /^(four|six)(\d+)\.public\.example$/.exec(name) ?? [];
    if (family !== undefined) return [(family === 'four' ? publicAddress : publicIpv6Address)(Number(number))];
    if (name === '_mongodb._tcp.srv.attacker.example') return [{ target: 'loopback.attacker.example', port: 9000 }];
    if (name === 'srv.attacker.example') return [];
    const [, kind = '', times = ''] = /\.(rebind|appears|late)(\d?)\.attacker\.example$/.exec(name) ?? [];
    if (kind === 'rebind') return [timesOf(name, type) <= Number(times) ? PUBLIC : '127.0.0.1'];
    if (kind === 'appears') return timesOf(name, type) === 1 ? undefined : ['127.0.0.1'];
    if (kind === 'late') return new Promise((settle) => setTimeout(settle, LATE_MS, ['169.254.169.254']));
    return undefined;
  };
};
