import type { Role } from '@weft/service-kit/auth';

/** A one-time link that was not used yet. */
export interface Invitation {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** Id of the user who made it. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The user whose password it resets; absent: it invites a new one. */
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
  /** Of concurrent callers one removes it. @returns whether it was this one */
  readonly remove: (id: string) => Promise<boolean>;
  readonly removeOfEmail: (email: string) => Promise<void>;
}

/** Limit of invitations that can be accepted. */
export const MAX_INVITATIONS = 200;

const DAY_MS = 86_400_000;

/** Time for which an invitation can be accepted, in milliseconds. */
export const INVITATION_MS = 7 * DAY_MS;

/** Time for which a link for a new password can be used, in milliseconds. */
export const RESET_MS = DAY_MS;
