export { OPERATIONS, type Operations } from './api/operations.gen.js';
export type * from './api/types.gen.js';
export type { EventOptions } from './follow.js';
export {
  createWeft,
  type AnyArgs,
  type AnyResponse,
  type Args,
  type Body,
  type EntryOf,
  type ListOperation,
  type OperationId,
  type RunOptions,
  type StartedRun,
  type Weft,
  type WeftOptions,
} from './weft.js';
export { errorOf, unanswered, WeftError } from './weft-error.js';
