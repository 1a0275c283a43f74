export { connectDatabase, type Database } from './connect';
export { isDuplicateKey, isTransient, isUnreachable, withStore } from './store-errors';
export { toBuffer } from './to-buffer';
