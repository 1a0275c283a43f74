import type { Role } from '@weft/service-kit/auth';

/** A one-time link that has not been used yet. */
export interface Invitation {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** Id of its creator. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The user whose password it resets; absent: it invites a new user. */
  readonly userId?: string;
}

/** An invitation with the hash of its token. */
export interface StoredInvitation extends Invitation {
  readonly tokenHash: string;
}

/** Store of invitations. */
export interface InvitationStore {
  readonly insert: (invitation: StoredInvitation) => Promise<void>;
  /** Newest first, those that end after `now`. */
  readonly list: (now: Date, limit: number) => Promise<readonly Invitation[]>;
  readonly findByHash: (tokenHash: string) => Promise<Invitation | undefined>;
  /** Of concurrent callers, one removes it. @returns whether it was this one */
  readonly remove: (id: string) => Promise<boolean>;
  readonly removeOfEmail: (email: string) => Promise<void>;
}

/** Maximum number of open invitations. */
export const MAX_INVITATIONS = 200;

const DAY_MS = 86_400_000;

/** Milliseconds for which an invitation can be accepted. */
export const INVITATION_MS = 7 * DAY_MS;

/** Milliseconds for which a password link can be used. */
export const RESET_MS = DAY_MS;
