import { AuditServiceService, type AuditEntry, type ListAuditRequest } from '@weft/proto/audit';
import type { Principal } from '@weft/service-kit/auth';
import { createCaller, isUnimplemented, type Caller } from '@weft/service-kit/grpc';
import type { Peer } from './callers';

/** A page of the records of all services, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

/** Client of the AuditService of every service that has one. */
export interface AuditClient {
  /** Reads a page; the limit is required. */
  readonly list: (request: ListAuditRequest, principal: Principal) => Promise<AuditPage>;
  readonly close: () => void;
}

const newestFirst = (one: AuditEntry, other: AuditEntry): number =>
  (other.at?.getTime() ?? 0) - (one.at?.getTime() ?? 0) || (one.id < other.id ? 1 : -1);

/** A page of one service; empty if it keeps no records, as executions does in release 0.1.0. */
const pageOf = async (
  { calls }: Caller<typeof AuditServiceService>,
  request: ListAuditRequest,
  principal: Principal,
): Promise<AuditPage> => {
  try {
    return await calls.listAudit(request, { principal });
  } catch (error) {
    if (isUnimplemented(error)) return { entries: [], nextCursor: '' };
    throw error;
  }
};

/**
 * Connects to the services. Each returns a page in the same order and with the same cursor, so the newest records of
 * all pages form the result, and the rest is read again for the next page.
 */
export const createAuditClient = (peers: readonly (Peer & { readonly service: string })[]): AuditClient => {
  const callers = peers.map((peer) => createCaller(AuditServiceService, { ...peer, retried: ['listAudit'] }));
  return {
    list: async (request, principal) => {
      const pages = await Promise.all(callers.map((caller) => pageOf(caller, request, principal)));
      const all = pages.flatMap(({ entries }) => entries).toSorted(newestFirst);
      const entries = all.slice(0, request.limit);
      const isLast = all.length === entries.length && pages.every(({ nextCursor }) => nextCursor === '');
      return { entries, nextCursor: isLast ? '' : (entries.at(-1)?.cursor ?? '') };
    },
    close: () => callers.forEach(({ close }) => close()),
  };
};
