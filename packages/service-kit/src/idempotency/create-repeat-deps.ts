import type { Connection } from 'mongoose';
import type { Logger } from '../logging';
import { createKeyRecordStore } from './key-record-store';
import type { RepeatDeps } from './repeatable';

/** Database, logger and secret of a service with repeatable methods. */
export interface RepeatOptions extends Pick<RepeatDeps, 'now' | 'secret'> {
  readonly connection: Connection;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Dependencies of repeatable methods, with keys in MongoDB. */
export const createRepeatDeps = ({ connection, now, secret, logger }: RepeatOptions): RepeatDeps => ({
  store: createKeyRecordStore(connection),
  now,
  secret,
  onUnrecorded: (err) => logger.warn({ err }, 'the outcome of a repeatable call was not recorded'),
});
