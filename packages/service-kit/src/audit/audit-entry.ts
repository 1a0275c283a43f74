import type { Page, PageParams } from '../paging';

/** One audited action: who did what to what. Holds ids and short strings, never a secret. */
export interface AuditRecord {
  /** Set for an event that is recorded once however often it occurs. Default: a new id. */
  readonly id?: string;
  /** For example `user.lock`. */
  readonly action: string;
  /** User id, `service:<name>`, or `unknown`. */
  readonly actor: string;
  /** Ids and short strings that identify the subject, for example `{ credentialId }`. */
  readonly about: Readonly<Record<string, string>>;
  /** Default: done. */
  readonly outcome?: 'done' | 'refused';
}

/** Writes one record, with the running request's id and client address; resolves when it is stored. */
export type RecordAudit = (record: AuditRecord) => Promise<void>;

/** A stored record. */
export interface AuditEntry extends AuditRecord {
  readonly id: string;
  readonly at: Date;
  readonly outcome: 'done' | 'refused';
  /** Empty if unknown. */
  readonly clientAddress: string;
  readonly requestId: string;
  /** Cursor of the page after this record. */
  readonly cursor: string;
}

/** Filter of a list; empty strings match everything. */
export interface AuditFilter {
  readonly actor: string;
  readonly action: string;
  /** An id in `about`. */
  readonly target: string;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** The audit records of one service. Records expire. */
export interface AuditLog {
  readonly record: RecordAudit;
  /** Newest first. @throws InvalidRequest for an invalid limit or cursor */
  readonly list: (filter: AuditFilter, page: PageParams) => Promise<Page<AuditEntry>>;
}
