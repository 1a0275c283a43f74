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
  /** Name that this side sends in its greeting; the machine's name if absent. */
  readonly clientName?: string;
  /** Accepts certificates that cannot be verified. */
  readonly allowUnauthorizedCerts: boolean;
}

/** A file of a mail. */
export interface MailAttachment {
  readonly fileName: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
  /** Content id with which the HTML refers to it: `cid:<contentId>`. */
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
  /** The server's final reply. */
  readonly response: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
}

/** The server did not accept the mail. The message is for the owner of the workflow and includes the server's reply. */
export class MailFailed extends Error {
  /**
   * The library's error code: EAUTH, EENVELOPE, EMESSAGE, ETLS, ETIMEDOUT, EDNS, ECONNECTION and the like.
   */
  readonly code: string;
  /** The server's reply code, such as 535, if it sent one. */
  readonly responseCode: number | undefined;

  constructor(message: string, code: string, responseCode?: number, cause?: unknown) {
    super(message, { cause });
    this.name = 'MailFailed';
    this.code = code;
    this.responseCode = responseCode;
  }
}

/** Sends mail. */
export interface MailSender {
  /**
   * Sends one mail to a server, over a new connection.
   * @throws OutboundError if the server may not or cannot be reached, MailFailed if it does not accept the mail within
   * the time limit. A mail whose outcome is unknown counts as failed.
   */
  send(server: MailServer, mail: Mail, signal: AbortSignal): Promise<MailReceipt>;
}
