import { OutboundRefused } from '../domain/ports/outbound-http';
import { refusingRule } from './address-rules';
import type { AllowList } from './allow-list';

/** Decides which addresses may be connected to. */
export interface AddressGuard {
  /**
   * Returns if every address that `host` stands for may be connected to on `port`.
   * @throws OutboundRefused with the rule and the host as it was written, never with the address it resolved to.
   */
  check(host: string, addresses: readonly string[], port: number): void;
}

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
  };
}

function refused(host: string, rule: string): OutboundRefused {
  return new OutboundRefused(rule, `Requests to "${host}" are refused (${rule}). Whoever operates the service can let this host through with OUTBOUND_ALLOW.`);
}
