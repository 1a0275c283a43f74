export type {
  CodeError,
  LookupError,
  CodeInput,
  CodeItem,
  CodeItems,
  CodeNode,
  CodeReport,
  CodeStyle,
  CodeValue,
} from './code-data';
export type { CodeAnswer, CodeJob, CodeRunner, CodeStop } from './code-runner';
export type { JobInput } from './job-input';
export { PROCESS_MEMORY } from './limits';
export { bytesOf } from './job-input';
export { createPoolShare } from './pool-share';
export { encodeFrame, FrameReader } from './frames';
export type { Frame } from './frames';
export type { PoolShare, ShareOptions } from './pool-share';
export { openSandboxes } from './sandboxes';
export type { Sandboxes } from './sandboxes';
export type { OnMissingLayer, SandboxLayer } from './spawn-sandbox';
export { SealedPool } from './sealed-pool';
export { openTaskProcesses } from './task-processes';
export type { TaskAnswer, TaskJob, TaskProcesses, TaskProgram, TaskRunner } from './task-processes';
export { yieldSoon } from './yield-soon';
export { childrenOf } from './syntax-tree';
export { SandboxRegex } from './regex/regex-fallback';
