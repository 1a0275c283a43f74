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
export { CodePool } from './code-pool';
export type { CodeRunner, CodeStop } from './code-runner';
export { SandboxRegex } from './regex/regex-fallback';
