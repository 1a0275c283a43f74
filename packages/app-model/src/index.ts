export type * from './app-document.gen';
export { canonicalJson, digestOf } from './canonical';
export { operationKey } from './operation-key';
