/** Audited events. */
export type AuditAction =
  | 'credential.use'
  | 'credential.test'
  | 'credential.create'
  | 'credential.update'
  | 'credential.delete'
  | 'credential.grant'
  | 'credential.revoke'
  | 'credential.sign-in'
  | 'credential.needs-login'
  | 'api-key.create'
  | 'api-key.delete'
  | 'user.create'
  | 'user.change-role'
  | 'user.lock'
  | 'user.unlock'
  | 'user.delete'
  | 'user.sign-out'
  | 'user.reset-password'
  | 'user.set-password'
  | 'user.link-identity'
  | 'invitation.create'
  | 'invitation.delete'
  | 'project.create'
  | 'project.update'
  | 'project.delete'
  | 'project.put-member'
  | 'project.remove-member'
  | 'project.transfer'
  | 'run.act'
  | 'sign-in'
  | 'sign-in.failed';

/** One audited action: who did what to what. Holds ids and type names, never a secret. */
export interface AuditEntry {
  /** Set for an event that is recorded once however often it occurs. Default: a new id. */
  readonly id?: string;
  readonly action: AuditAction;
  /** User id, or `service:<name>`. */
  readonly actor: string;
  /** Ids and short strings that identify the subject, for example `{ credentialId }`. */
  readonly about: Readonly<Record<string, string>>;
  /** Default: done. */
  readonly outcome?: 'done' | 'refused';
}

/** Writes one record; resolves when it is stored. Recording an id again changes nothing. */
export type RecordAudit = (entry: AuditEntry) => Promise<void>;
