export { ExpressionError } from './errors';
export type { ExpressionErrorDetails, ExpressionErrorType } from './errors';
export type * from './scope';
export { compileParameter } from './parameter';
export type { CompiledParameter, ParameterError } from './parameter';
export { evaluate } from './evaluate';
export { toJson, toText } from './convert-result';
export { isReadableFormat, parseDate } from './dates/parse-date';
export { splitTemplate, withPairsRead } from './template/split';
