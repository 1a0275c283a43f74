export { allowsUrl, parseAllowList } from './guard/allow-list';
export { fitsHosts } from './guard/check-target';
export type { BodyRoom } from './http/body-room';
export { createDatabases } from './databases/create-databases';
export {
  DatabaseFailed,
  type Databases,
  type DatabaseTls,
  type MongoArrayChange,
  type MongoChange,
  type MongoDocument,
  type MongoFind,
  type MongoSearchIndex,
  type MongoServer,
  type MongoSession,
  type MysqlOptions,
  type PostgresOptions,
  type QueryBounds,
  QueryTooLarge,
  type RedisReply,
  type RedisServer,
  type RedisSession,
  ResultRefused,
  type SqlResult,
  type SqlServer,
  type SqlSession,
  type SqlStatement,
  type SqlValue,
} from './databases/databases';
export { mongoBytesOf, mongoIdOf } from './databases/mongo-session';
export { composeMail, type DraftFile, type MailDraft } from './mail/compose-mail';
export { MAIL_BOUNDS, type MailBounds } from './mail/mail-bounds';
export { createMailCheck, createMailSender, type MailCheck } from './mail/mail-sender';
export {
  type Mail,
  type MailAttachment,
  MailFailed,
  type MailReceipt,
  type MailSender,
  type MailServer,
} from './mail/mail';
export {
  type Mailbox,
  MAX_MAIL_BYTES,
  type MailboxServer,
  type MailCondition,
  type MailDateField,
  type MailFlag,
  type MailTextField,
} from './remote/mailbox';
export {
  type CommandResult,
  type FtpServer,
  type RemoteBounds,
  type RemoteEntry,
  type RemoteFiles,
  type SshServer,
  type SshSession,
} from './remote/file-session';
export { below } from './remote/remote-paths';
export { type FoundEntry, walkFolders } from './remote/walk-folders';
export { RemoteFailed } from './remote/remote-failure';
export { createRemoteServers, type RemoteServers } from './remote/remote-servers';
export { createOutboundClient, type OutboundClient } from './http/outbound-client';
export {
  type ClientCertificate,
  OutboundError,
  type OutboundErrorCode,
  type OutboundHttp,
  OutboundRefused,
  type OutboundRequest,
  type OutboundResponse,
  type OutboundStream,
  type OutboundStreamRequest,
  type OutboundStreams,
} from './http/outbound-http';
