export { decodeCursor, encodeCursor, pageLimit } from './cursor';
