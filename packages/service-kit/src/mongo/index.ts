export { connectDatabase, type Database } from './connect';
export { countInWindow, type WindowSteps } from './count-in-window';
export { deleteMatching } from './delete-matching';
export { insertRows } from './insert-rows';
export { openDatabase } from './open-database';
export { checkMigrated, migrate, NotMigrated, type Index, type Schema } from './indexes';
export { runMigration } from './run-migration';
export { inKeyOrder, oneByOne } from './write-order';
export {
  areStoresReady,
  finalError,
  isAnswered,
  isDuplicateKey,
  isRefusalOfContent,
  isTransient,
  isUnreachable,
  MAX_WRITE_ATTEMPTS,
  storeUnavailable,
  waitAfterAttempt,
  withStore,
} from './store-errors';
export { toBuffer } from './to-buffer';
export { startMeasuringStore } from './measure-store';
