export { decodeCursor, encodeCursor, pageLimit } from './cursor';
export { readPage, type Page, type PageParams, type PageSource } from './read-page';
