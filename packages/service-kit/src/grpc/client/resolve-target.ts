import { lookup } from 'node:dns/promises';

/** Host and port of an address. An IPv6 host has brackets. */
const partsOf = (address: string): readonly [host: string, port: string] => {
  const colon = address.lastIndexOf(':');
  return [address.slice(0, colon).replace(/^\[|\]$/g, ''), address.slice(colon + 1)];
};

const joined = (host: string, port: string): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

/** Addresses that a gRPC target names: `dns:///host:port`, `ipv4:a:1,b:2`, `ipv6:…` or `host:port`. */
export const resolveTarget = async (target: string): Promise<readonly string[]> => {
  const [, scheme = 'dns', rest = target] = /^(ipv4|ipv6|dns):(.*)$/.exec(target) ?? [];
  if (scheme !== 'dns') return rest.split(',').map((address) => joined(...partsOf(address)));
  const [host, port] = partsOf(rest.replace(/^\/\/[^/]*\//, ''));
  const found = await lookup(host, { all: true });
  return found.map(({ address }) => joined(address, port));
};
