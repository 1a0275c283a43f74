export { AUDIT_INDEXES, auditQuery, createAuditLog } from './audit-log';
export { AUDIT_ACCESS, auditHandlers } from './audit-service';
export { audited, auditedForUsers, createRecordRefusal } from './audited';
export type { AuditEntry, AuditFilter, AuditLog, AuditRecord, RecordAudit } from './audit-entry';
