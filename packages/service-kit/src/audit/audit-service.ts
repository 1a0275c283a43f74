import { AuditOutcome, type AuditServiceService } from '@weft/proto/audit';
import type { AccessRule, Handlers } from '../grpc';
import type { AuditEntry, AuditLog } from './audit-entry';

const OUTCOMES: Readonly<Record<AuditEntry['outcome'], AuditOutcome>> = {
  done: AuditOutcome.AUDIT_OUTCOME_DONE,
  refused: AuditOutcome.AUDIT_OUTCOME_REFUSED,
};

/** Callers of AuditService. */
export const AUDIT_ACCESS: Readonly<Record<keyof typeof AuditServiceService, AccessRule>> = {
  listAudit: { users: 'audit:read' },
};

/** AuditService over gRPC. @param service name of the recording service */
export const auditHandlers = (log: AuditLog, service: string): Handlers<typeof AuditServiceService> => ({
  listAudit: async ({ limit, cursor, ...filter }) => {
    const { items, nextCursor } = await log.list({ from: undefined, to: undefined, ...filter }, { limit, cursor });
    return {
      entries: items.map(({ outcome, about, ...entry }) => ({
        ...entry,
        about: { ...about },
        outcome: OUTCOMES[outcome],
        service,
      })),
      nextCursor,
    };
  },
});
