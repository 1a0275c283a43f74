import type { BlockList } from 'node:net';
import { listOf, parseAddress } from './address-rules';
import type { HostPattern } from './host-pattern';
import { coversHost, parseHostPattern } from './host-pattern';

/** Hosts and addresses that the operator exempts from the guard. */
export interface AllowList {
  /** True if the name itself is allowed, whatever it resolves to. */
  allowsHost(host: string, port: number): boolean;
  /** True if the address is in an allowed block. */
  allowsAddress(address: string, port: number): boolean;
}

interface AllowedBlock {
  readonly list: BlockList;
  readonly port: number | undefined;
}

const BLOCK = /^(?:\[([0-9a-f:.]+)\]|([0-9a-f.]+|[0-9a-f]*:[0-9a-f:.]*))(?:\/(\d{1,3}))?$/i;

/**
 * Reads the entries of OUTBOUND_ALLOW, or of another variable of the same form: a host, `*.suffix`, an address, a CIDR
 * block, each with `:port` behind it if only
 * that port is meant; an IPv6 address with a port stands in brackets.
 * @throws Error that names the first invalid entry
 */
export function parseAllowList(entries: readonly string[], variable = 'OUTBOUND_ALLOW'): AllowList {
  const hosts: HostPattern[] = [];
  const blocks: AllowedBlock[] = [];
  for (const entry of entries.map((text) => text.trim()).filter((text) => text !== '')) {
    const block = parseBlock(entry);
    const host = block === undefined ? parseHostPattern(entry) : undefined;
    if (block !== undefined) blocks.push(block);
    else if (host !== undefined) hosts.push(host);
    else
      throw new Error(
        `${variable}: "${entry}" is not a host, *.suffix or CIDR block. Write for example ` +
          'api.internal:8443 or 10.1.0.0/16.',
      );
  }
  return {
    allowsHost: (host, port) => hosts.some((pattern) => coversHost(pattern, host, port)),
    allowsAddress: (text, port) => {
      const address = parseAddress(text);
      return (
        address !== undefined &&
        blocks.some(
          (block) =>
            (block.port === undefined || block.port === port) && block.list.check(address.text, address.family),
        )
      );
    },
  };
}

/** True if a list names the host of an http or https URL, as a name or as an address. */
export const allowsUrl = (list: AllowList, { hostname, port, protocol }: URL): boolean => {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  return list.allowsHost(host, number) || list.allowsAddress(host, number);
};

function parseBlock(entry: string): AllowedBlock | undefined {
  const whole = readBlock(entry);
  if (whole !== undefined) return { list: whole, port: undefined };
  const [, text = '', port = ''] = /^(.+):(\d{1,5})$/.exec(entry) ?? [];
  const list = text.includes(':') && !text.startsWith('[') ? undefined : readBlock(text);
  return list === undefined || Number(port) < 1 || Number(port) > 65_535 ? undefined : { list, port: Number(port) };
}

function readBlock(text: string): BlockList | undefined {
  const match = BLOCK.exec(text);
  const address = parseAddress(match?.[1] ?? match?.[2] ?? '');
  if (match === null || address === undefined) return undefined;
  const bits = address.family === 'ipv4' ? 32 : 128;
  const prefix = match[3] === undefined ? bits : Number(match[3]);
  return prefix > bits ? undefined : listOf([`${address.text}/${prefix}`]);
}
