/** Connection settings of a mail server. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: plain, upgraded by STARTTLS if the server offers it. */
  readonly secure: boolean;
  /** True: STARTTLS is not used even if the server offers it. */
  readonly ignoreStartTls: boolean;
  /** Absent: no login. */
  readonly login?: { readonly user: string; readonly password: string };
  /** The name this side introduces itself with; the machine's own if absent. */
  readonly clientName?: string;
  /** Accepts certificates that cannot be verified. */
  readonly allowUnauthorizedCerts: boolean;
}

/** A file of a mail. */
export interface MailAttachment {
  readonly fileName: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
  /** The HTML shows it as `cid:<contentId>`. */
  readonly contentId: string;
}

/** A mail. Addresses are lists as they stand in a header: `Name <a@example.com>, b@example.com`. */
export interface Mail {
  /** With angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly from: string;
  readonly to: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly replyTo?: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly MailAttachment[];
}

/** A recipient that a server did not accept, with the reason. */
export interface RefusedRecipient {
  readonly recipient: string;
  readonly response: string;
  readonly responseCode: number;
}

/** Outcome of a delivery to the server. */
export interface MailReceipt {
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  readonly refusals: readonly RefusedRecipient[];
  /** Extensions in the server's greeting. */
  readonly ehlo: readonly string[];
  /** Milliseconds for the addresses, and for the content. */
  readonly envelopeTime: number;
  readonly messageTime: number;
  /** Bytes of the encoded mail. */
  readonly messageSize: number;
  /** The server's last word. */
  readonly response: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

/** The mail was not taken over. The message is for the owner of the workflow; it holds what the server said. */
export class MailFailed extends Error {
  /**
   * The library's error code: EAUTH, EENVELOPE, EMESSAGE, ETLS, ETIMEDOUT, EDNS, ECONNECTION and the like.
   */
  readonly code: string;
  /** The server's reply code, such as 535, if it said one. */
  readonly responseCode: number | undefined;

  constructor(message: string, code: string, responseCode?: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailFailed';
    this.code = code;
    this.responseCode = responseCode;
  }
}

/** The one way out for mail. */
export interface MailSender {
  /**
   * Sends one mail to a server, over a connection of its own.
   * @throws OutboundError if the server may not or cannot be reached, MailFailed if it does not take the mail over
   * within the time limit. A mail whose fate is not known counts as failed.
   */
  send(server: MailServer, mail: Mail, signal: AbortSignal): Promise<MailReceipt>;
}
