/** Checks of apps that are JSON, for services: nothing here reads YAML. */
export { canonicalJson, digestOf } from './canonical';
export { checkAppDocument, type CheckedDocument } from './checks/check-document';
export { MAX_APP_BYTES } from './source/paths';
