import MailComposer from 'nodemailer/lib/mail-composer';

/** A file of a mail that is not sent from here. */
export interface DraftFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly content: Uint8Array;
}

/** A mail for a service that sends it. Addresses are lists as they stand in a header. */
export interface MailDraft {
  readonly from?: string;
  readonly to?: string;
  readonly cc?: string;
  readonly bcc?: string;
  readonly replyTo?: string;
  /** Message ids, with or without angle brackets. */
  readonly inReplyTo?: string;
  readonly references?: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
  readonly attachments: readonly DraftFile[];
}

/**
 * Writes a mail in MIME, blind copies included: the service that sends it reads them from there. It reads neither files
 * nor URLs that the mail names.
 */
export function composeMail({ attachments, ...draft }: MailDraft): Promise<Uint8Array> {
  const mail = new MailComposer({
    ...draft,
    disableFileAccess: true,
    disableUrlAccess: true,
    attachments: attachments.map(({ fileName, mimeType, content }) => ({
      filename: withoutControls(fileName),
      contentType: withoutControls(mimeType),
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
    })),
  }).compile();
  mail.keepBcc = true;
  return mail.build();
}

const withoutControls = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]/g, '');
