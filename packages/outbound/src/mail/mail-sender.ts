import type { Socket } from 'node:net';
import { createTransport, type SMTPSentMessageInfo } from 'nodemailer';
import type { Mail, MailReceipt, MailSender, MailServer } from './mail';
import { type Deadline, startDeadline } from '../http/deadline';
import { describeFailure } from '../http/describe-failure';
import { MAIL_BOUNDS, type MailBounds } from './mail-bounds';
import { mailFailure } from './mail-failure';

/** Opens sockets to mail servers. */
export type OpenSocket = (host: string, port: number, signal: AbortSignal) => Promise<Socket>;

const MAX_REPLY_BYTES = 64 * 1024;
const MAX_RECIPIENTS = 1_000;

/** Creates the mail sender of a process. It reads neither files nor URLs that a mail names. */
export function createMailSender(openSocket: OpenSocket, bounds: MailBounds = MAIL_BOUNDS): MailSender {
  return {
    send: async (server, mail, signal) => {
      const deadline = startDeadline(bounds.totalMs, signal);
      try {
        const transport = transportTo(openSocket, server, bounds, deadline);
        return receiptOf(await transport.sendMail({ ...contentOf(mail), signal: deadline.signal }));
      } catch (error) {
        throw mailFailure(error, server, deadline, bounds);
      } finally {
        deadline.end();
      }
    },
  };
}

/** Milliseconds for a check as a whole. */
const CHECK_MS = 30_000;

/**
 * Connects to a mail server and logs in, if there is a login, and sends nothing.
 * @throws OutboundError, MailFailed
 */
export type MailCheck = (server: MailServer, signal: AbortSignal) => Promise<void>;

/** Creates the mail server check of a process. */
export function createMailCheck(openSocket: OpenSocket): MailCheck {
  return async (server, signal) => {
    const bounds = { greetingMs: CHECK_MS, silenceMs: CHECK_MS, totalMs: CHECK_MS };
    const deadline = startDeadline(bounds.totalMs, signal);
    try {
      // A server that offers no login where one is configured would pass without `forceAuth`.
      await transportTo(openSocket, server, bounds, deadline, server.login !== undefined).verify();
    } catch (error) {
      throw mailFailure(error, server, deadline, bounds);
    } finally {
      deadline.end();
    }
  };
}

function transportTo(
  openSocket: OpenSocket,
  server: MailServer,
  bounds: MailBounds,
  deadline: Deadline,
  forceAuth = false,
) {
  return createTransport({
    ...optionsOf(server, bounds),
    forceAuth,
    getSocket: (_options, callback) => {
      openSocket(server.host, server.port, deadline.signal).then(
        // The user of the socket reports its errors; after the mail is sent there is no user.
        (connection) => callback(null, { connection: connection.on('error', () => undefined) }),
        (error: unknown) => callback(describeFailure(error, server.host, deadline)),
      );
    },
  });
}

function optionsOf(
  { host, port, secure, ignoreStartTls, login, clientName, allowUnauthorizedCerts }: MailServer,
  bounds: MailBounds,
) {
  return {
    host,
    port,
    secure,
    ignoreTLS: ignoreStartTls,
    connectionTimeout: bounds.totalMs,
    greetingTimeout: bounds.greetingMs,
    socketTimeout: bounds.silenceMs,
    socketCloseTimeout: 0,
    maxResponseSize: MAX_REPLY_BYTES,
    tls: { rejectUnauthorized: !allowUnauthorizedCerts },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(clientName === undefined ? {} : { name: clientName }),
  };
}

function contentOf({ attachments, ...mail }: Mail) {
  return {
    ...mail,
    disableFileAccess: true,
    disableUrlAccess: true,
    xMailer: false as const,
    maxRecipients: MAX_RECIPIENTS,
    attachments: attachments.map(({ fileName, mimeType, content, contentId }) => ({
      filename: fileName,
      contentType: mimeType,
      content: Buffer.from(content.buffer, content.byteOffset, content.byteLength),
      cid: contentId,
    })),
  };
}

function receiptOf({
  accepted,
  rejected,
  rejectedErrors,
  ehlo,
  envelopeTime,
  messageTime,
  messageSize,
  response,
  envelope,
}: SMTPSentMessageInfo): MailReceipt {
  return {
    accepted,
    rejected,
    ehlo: ehlo ?? [],
    envelopeTime,
    messageTime,
    messageSize,
    response,
    refusals: (rejectedErrors ?? []).map((error) => ({
      recipient: error.recipient ?? '',
      response: error.response ?? '',
      responseCode: error.responseCode ?? 0,
    })),
    envelope: { from: envelope.from === false ? '' : envelope.from, to: envelope.to },
  };
}
