/** Connection settings of an IMAP server. */
export interface MailboxServer {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: plain, upgraded by STARTTLS if the server offers it. */
  readonly secure: boolean;
  readonly user: string;
  readonly password: string;
  /** Accepts certificates that cannot be verified. */
  readonly allowUnauthorizedCerts: boolean;
}

/** A condition of a search. Strings are matched by the server; dates are days, `YYYY-MM-DD`. */
export type MailCondition =
  | { readonly kind: 'all' }
  | { readonly kind: 'flag'; readonly flag: MailFlag; readonly isSet: boolean }
  | { readonly kind: 'arrival'; readonly arrival: 'new' | 'old' | 'recent' }
  | { readonly kind: 'keyword'; readonly keyword: string; readonly isSet: boolean }
  | { readonly kind: 'text'; readonly field: MailTextField; readonly text: string }
  | { readonly kind: 'header'; readonly name: string; readonly text: string }
  | { readonly kind: 'date'; readonly field: MailDateField; readonly day: string }
  | { readonly kind: 'size'; readonly field: 'larger' | 'smaller'; readonly bytes: number }
  /** UIDs as IMAP writes them: `4,7:9,20:*`. */
  | { readonly kind: 'uid'; readonly uids: string }
  | { readonly kind: 'not'; readonly condition: MailCondition }
  | { readonly kind: 'or'; readonly conditions: readonly [MailCondition, MailCondition] };

export type MailFlag = 'answered' | 'deleted' | 'draft' | 'flagged' | 'seen';
export type MailTextField = 'bcc' | 'body' | 'cc' | 'from' | 'subject' | 'text' | 'to';
export type MailDateField = 'before' | 'on' | 'since' | 'sentBefore' | 'sentOn' | 'sentSince';

/** A mailbox that is open. Every method rejects with a RemoteFailed or an OutboundError. */
export interface Mailbox {
  /** UIDs of messages are valid while this value does not change. */
  readonly uidValidity: string;
  /** UID of the next new message. */
  readonly uidNext: number;
  /** UIDs of the messages from `fromUid` on that match all conditions, ascending. */
  search(conditions: readonly MailCondition[], fromUid: number): Promise<readonly number[]>;
  /** Bytes of messages by UID; deleted messages are absent. */
  sizes(uids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** The whole message, or its text without headers. Undefined if it was deleted. Does not mark it as read. */
  read(uid: number, part: 'source' | 'text'): Promise<Uint8Array | undefined>;
  /** Marks messages as read. */
  markSeen(uids: readonly number[]): Promise<void>;
}

/** Bytes of the largest message that can be read. */
export const MAX_MAIL_BYTES = 25 * 1024 * 1024;
