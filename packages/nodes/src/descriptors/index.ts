/**
 * The kinds as data, and the meaning of a definition with them, for all code that stores, checks, shows or starts
 * workflows without running a node. Nothing here loads an executor.
 */
export { FILTER_OPERATIONS } from './filter-parameter';
export { describeKind, KIND_TABLE } from './kinds';
export { kindsIn, readPinnedApp } from './kinds-in';
export { kindsOfApp } from './kinds-of-app';
export * from '../definitions/chat-settings';
export * from '../definitions/check-definition';
export * from '../definitions/form-settings';
export * from '../definitions/mcp-settings';
export * from '../definitions/hooks';
export * from '../definitions/reachable';
export * from '../definitions/routes';
export * from '../definitions/start-node';
export { insteadOf } from '../definitions/unknown-kinds';
export * from '../definitions/webhook-settings';
