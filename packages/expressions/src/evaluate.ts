import { ExpressionError } from './errors';
import { forbidden } from './runtime/names';
import type { CompiledNode, CompiledParameter } from './parameter';
import type { Run } from './runtime/run';
import type { ExpressionScope } from './scope';
import type { Template } from './template/template';
import { compileText } from './template/template-cache';

/**
 * The value of a parameter for one item. A string with one `{{ }}` and nothing around it gives a value of any type:
 * JSON data, undefined, a `Date`, a luxon `DateTime`, `Duration` or `Interval`, a `Map` or `Set`. Use `toJson` or
 * `toText` where one form is needed. Values from the scope are returned without a copy: do not change them.
 * @throws ExpressionError and nothing else, unless the scope itself throws something else
 */
export function evaluate(compiled: CompiledParameter, scope: ExpressionScope): unknown {
  return evaluateNode(compiled.root, (template) => template.evaluate(scope));
}

/**
 * The value of a strict template, as apps have them: an exception of JavaScript and an unknown name fail it instead of
 * giving undefined, and `$fn` is available. The result may hold a `TemplateFile`.
 * @throws ExpressionError and nothing else, unless the scope itself throws something else
 */
export function evaluateStrict(compiled: CompiledParameter, scope: ExpressionScope): unknown {
  return evaluateNode(compiled.root, (template) => template.evaluateStrict(scope));
}

/** The value of a parameter within an evaluation that is under way, out of its budget. */
export function evaluateWithin(compiled: CompiledParameter, run: Run): unknown {
  return evaluateNode(compiled.root, (template) => template.evaluateIn(run));
}

/** The value of a string that starts with `=`, within an evaluation that is under way. */
export function evaluateText(run: Run, text: string): unknown {
  run.work(text.length);
  const compiled = compileText(text);
  if (compiled.kind === 'constant') return compiled.text;
  if (compiled.kind === 'error') throw compiled.error;
  run.enterCall(TEXT_LEVELS);
  const value = compiled.template.evaluateIn(run);
  run.leaveCall(TEXT_LEVELS);
  return value;
}

/** Stack levels of a string within an expression, in addition to its code. */
const TEXT_LEVELS = 20;

function evaluateNode(node: CompiledNode, run: (template: Template) => unknown): unknown {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'template':
      return run(node.template);
    case 'error':
      throw again(node.error);
    case 'list':
      return node.entries.map((entry) => evaluateNode(entry, run));
    case 'record':
      return evaluateRecord(node.entries, run);
  }
}

/** A new error for each time: a cached error would have the stack of its first occurrence. */
function again(error: ExpressionError): ExpressionError {
  const { type, description, position } = error;
  return new ExpressionError(error.message, {
    type,
    ...(description === undefined ? {} : { description }),
    ...(position === undefined ? {} : { position }),
  });
}

function evaluateRecord(
  entries: readonly (readonly [string, CompiledNode])[],
  run: (template: Template) => unknown,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, entry] of entries) {
    if (key === '__proto__') throw forbidden(key);
    result[key] = evaluateNode(entry, run);
  }
  return result;
}
