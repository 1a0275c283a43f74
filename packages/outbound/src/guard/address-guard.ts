import { OutboundRefused } from '../http/outbound-http';
import { refusingRule } from './address-rules';
import type { AllowList } from './allow-list';
import { isHostName, plainHost } from './host-pattern';

/** Decides whether an address may be connected to. */
export interface AddressGuard {
  /**
   * Returns if every address of `host` may be connected to on `port`.
   * @throws OutboundRefused with the rule and the host as written, never with the address it resolved to
   */
  check(host: string, addresses: readonly string[], port: number): void;
  /**
   * Returns if a proxy may be asked for a name without a known address.
   * @throws OutboundRefused for a name of the local network (one without a dot, or below a suffix that is never
   * public), and for anything that is not a name
   */
  checkUnknown(host: string, port: number): void;
}

/** Suffixes that name machines of the local network or of the cluster. */
const LOCAL_SUFFIX = /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home\.arpa|svc)$/;

/** The guard for an instance: the built-in rules, less what the operator allows. */
export function addressGuard(allow: AllowList): AddressGuard {
  return {
    check(host, addresses, port) {
      if (allow.allowsHost(host, port)) return;
      for (const address of addresses) {
        const rule = refusingRule(address);
        if (rule !== undefined && !allow.allowsAddress(address, port)) throw refused(host, rule);
      }
    },
    checkUnknown(host, port) {
      const name = plainHost(host);
      if (!isHostName(name)) throw refused(host, 'host');
      const isLocal = !name.includes('.') || LOCAL_SUFFIX.test(name);
      if (isLocal && !allow.allowsHost(host, port)) throw refused(host, 'local-name');
    },
  };
}

function refused(host: string, rule: string): OutboundRefused {
  return new OutboundRefused(
    rule,
    `Requests to "${host}" are refused (${rule}). The operator can allow this host with OUTBOUND_ALLOW.`,
  );
}
