import { AuditOutcome, AuditServiceService, type AuditEntry } from '@weft/proto/audit';
import { bindService } from '@weft/service-kit/grpc';
import { createFake } from './fake';

/** In-memory records of one service; times are sequence numbers of its entries. */
export const fakeAudit = (service: string) => {
  const fake = createFake();
  const entries: AuditEntry[] = [];
  const bound = bindService(
    AuditServiceService,
    {
      listAudit: (request, context) =>
        fake.act('listAudit', request, context, () => {
          const older = entries.filter(({ cursor }) => request.cursor === '' || cursor < request.cursor);
          const page = older.slice(0, request.limit);
          return { entries: page, nextCursor: older.length > page.length ? (page.at(-1)?.cursor ?? '') : '' };
        }),
    },
    { listAudit: { users: 'audit:read' } },
  );
  /** Adds a record; newer ones must be added later. @param second of its time, from 0 to 59 */
  const add = (second: number): void => {
    const at = new Date(Date.UTC(2026, 0, 2, 3, 4, second));
    entries.unshift({
      id: `${service}-${second}`,
      at,
      action: 'user.lock',
      actor: 'u1',
      about: { userId: 'u2' },
      outcome: AuditOutcome.AUDIT_OUTCOME_DONE,
      clientAddress: '198.51.100.7',
      requestId: 'r1',
      service,
      cursor: `${at.toISOString()} ${service}-${second}`,
    });
  };
  return { ...fake, entries, add, bound };
};
