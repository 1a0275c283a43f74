export { allowsUrl, parseAllowList } from './allow-list';
export { createMailSender } from './mail/mail-sender';
export {
  type Mail,
  type MailAttachment,
  MailFailed,
  type MailReceipt,
  type MailSender,
  type MailServer,
} from './mail/mail';
export { createOutboundClient, type OutboundClient } from './outbound-client';
export {
  type ClientCertificate,
  OutboundError,
  type OutboundErrorCode,
  type OutboundHttp,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
} from './outbound-http';
