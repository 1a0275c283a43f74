/** The syntax of expressions without the interpreter, for programs that only read them: a tenth of its size. */
export { ExpressionError } from './errors';
export { isForbiddenName } from './runtime/names';
export { splitTemplate } from './template/split';
