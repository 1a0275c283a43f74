export { decodeCursor, encodeCursor, pageLimit } from './cursor';
export { checkProjectFilter, ownedBy, type OwnedPageParams, type ReadOwned } from './owned';
export { readPage, shownOf, type Page, type PageParams, type PageSource, type Stretch } from './read-page';
