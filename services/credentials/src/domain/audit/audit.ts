/** What is worth a record. */
export type AuditAction =
  | 'credential.use'
  | 'credential.create'
  | 'credential.update'
  | 'credential.delete'
  | 'api-key.create'
  | 'api-key.delete'
  | 'user.create'
  | 'sign-in'
  | 'sign-in.failed';

/** One record: who did what to what. Holds ids and names of types, never a secret. */
export interface AuditEntry {
  /** Given when the event is recorded once however often it occurs; a new id otherwise. */
  readonly id?: string;
  readonly action: AuditAction;
  /** User id, or `service:<name>`. */
  readonly actor: string;
  /** Ids and words that say what it was about, for example `{ credentialId }`. */
  readonly about: Readonly<Record<string, string>>;
}

/** Writes one record; done when it is stored. Recording an id again changes nothing. */
export type RecordAudit = (entry: AuditEntry) => Promise<void>;
