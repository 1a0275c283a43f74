export { alasqlText } from './code/library-text';
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
} from './code/code-data';
export type { CodeAnswer, CodeJob, CodeLanguage, CodeRunner, CodeStop } from './code/code-runner';
export type { JobInput } from './pools/job-input';
export { PROCESS_MEMORY } from './pools/limits';
export { bytesOf } from './pools/job-input';
export { createPoolShare } from './pools/pool-share';
export { encodeFrame, FrameReader } from './process/frames';
export type { Frame } from './process/frames';
export type { PoolShare, ShareOptions } from './pools/pool-share';
export { openSandboxes } from './pools/sandboxes';
export type { Sandboxes } from './pools/sandboxes';
export type { OnMissingLayer, SandboxLayer } from './spawn-sandbox';
export { SealedPool } from './pools/sealed-pool';
export { openTaskProcesses } from './pools/task-processes';
export type { TaskAnswer, TaskJob, TaskProcesses, TaskProgram, TaskRunner } from './pools/task-processes';
export { yieldSoon } from './process/yield-soon';
export { childrenOf } from './code/syntax-tree';
export { SandboxRegex } from './regex/regex-fallback';
