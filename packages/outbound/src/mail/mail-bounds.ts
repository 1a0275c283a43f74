/** Time limits of one connection to a mail server, by SMTP or IMAP. In milliseconds. */
export interface MailBounds {
  /** For the greeting and for TLS. */
  readonly greetingMs: number;
  /** Of silence. */
  readonly silenceMs: number;
  /** For everything. */
  readonly totalMs: number;
}

/** The limits of nodes. */
export const MAIL_BOUNDS: MailBounds = { greetingMs: 30_000, silenceMs: 60_000, totalMs: 300_000 };
