import type { Json } from '@weft/service-kit/json-values';
import type { ExpressionError } from './errors';
import type { Template } from './template/template';
import { compileText } from './template/template-cache';

/** A string of a parameter that is not an expression of the language, found without running it. */
export interface ParameterError {
  /** Path in the parameter tree, for example `options.headers[0].value`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
  /** Offset in characters within that text, its `=` counted. */
  readonly position: number;
}

/** One compiled node of a parameter tree. */
export type CompiledNode =
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'template'; readonly template: Template }
  | { readonly kind: 'error'; readonly error: ExpressionError }
  | { readonly kind: 'list'; readonly entries: readonly CompiledNode[] }
  | { readonly kind: 'record'; readonly entries: readonly (readonly [string, CompiledNode])[] };

/**
 * A parameter that is ready to be evaluated for any number of items. Immutable; may be cached as long as the definition
 * is.
 */
export interface CompiledParameter {
  /** True if no part of it changes from item to item. */
  readonly isConstant: boolean;
  /** Texts that cannot be compiled. `evaluate` throws for them; activation can refuse them beforehand. */
  readonly errors: readonly ParameterError[];
  readonly root: CompiledNode;
}

/** Nesting of a parameter tree beyond which it is refused. */
const MAX_TREE_DEPTH = 200;

/**
 * Compiles a stored parameter value, objects and lists included. Texts that start with `=` are expressions, all else
 * is constant.
 * Never throws: a text that cannot be compiled is listed in `errors`, and throws when it is evaluated.
 */
export function compileParameter(value: Json): CompiledParameter {
  const errors: ParameterError[] = [];
  const root = compileNode(value, '', errors, 0);
  return { isConstant: root.kind === 'constant', errors, root };
}

function compileNode(value: Json, path: string, errors: ParameterError[], depth: number): CompiledNode {
  if (typeof value === 'string') return compileLeaf(value, path, errors);
  if (typeof value !== 'object' || value === null) return { kind: 'constant', value };
  if (depth >= MAX_TREE_DEPTH) {
    errors.push({ path, message: `The parameter is nested deeper than ${MAX_TREE_DEPTH} levels.`, position: 0 });
    return { kind: 'constant', value: null };
  }
  if (Array.isArray(value)) {
    const entries = value.map((entry, index) => compileNode(entry, `${path}[${index}]`, errors, depth + 1));
    return entries.every((entry, index) => isUnchanged(entry, value[index]))
      ? { kind: 'constant', value }
      : { kind: 'list', entries };
  }
  const entries = Object.entries(value).map(
    ([key, entry]) => [key, compileNode(entry, path === '' ? key : `${path}.${key}`, errors, depth + 1)] as const,
  );
  return entries.every(([key, entry]) => isUnchanged(entry, value[key]))
    ? { kind: 'constant', value }
    : { kind: 'record', entries };
}

function isUnchanged(node: CompiledNode, stored: Json | undefined): boolean {
  return node.kind === 'constant' && node.value === stored;
}

function compileLeaf(text: string, path: string, errors: ParameterError[]): CompiledNode {
  if (!text.startsWith('=')) return { kind: 'constant', value: text };
  const compiled = compileText(text);
  if (compiled.kind === 'constant') return { kind: 'constant', value: compiled.text };
  if (compiled.kind === 'error')
    errors.push({ path, message: errorText(compiled.error), position: compiled.error.position ?? 0 });
  return compiled;
}

function errorText(error: ExpressionError): string {
  return error.description === undefined ? error.message : `${error.message}: ${error.description}`;
}
