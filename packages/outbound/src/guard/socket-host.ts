import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { isHostName } from './host-pattern';
import { OutboundRefused } from '../http/outbound-http';

/** Characters that would end the host in a URL. */
const DELIMITERS = /[/\\?#@:\s]/;

/**
 * The host of a socket in the one spelling that is checked and used: it is read like the host of a URL, so that an
 * address in any spelling (`127.1`, `127.0.0.1.`, `[::1]`, wide digits) is that address. Zone ids stay, and are refused
 * as addresses.
 * @throws OutboundRefused for anything that is not an address or a name
 */
export function socketHost(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 0) return bare;
  const host = DELIMITERS.test(text.replace(/^\[.*\]$/, '')) ? '' : domainToASCII(text);
  if (isIP(host) !== 0 || isHostName(host)) return host;
  throw new OutboundRefused('host', `"${text}" is not the name or the address of a host.`);
}
