import type { AnyNode, AssignmentProperty, Expression, Property, SpreadElement, Super } from 'acorn';
import { parse } from 'acorn';
import { childrenOf } from '@weft/sandbox';
import { createBoundedCache } from '@weft/service-kit/caching';

/** The output and run that code requests of another node. Omitted ones are undefined. */
export interface AskedOutput {
  readonly output: number | undefined;
  readonly run: number | undefined;
}

/** Results of static analysis of code. */
export interface CodeSource {
  /** A function expression with the code as its body, on the same lines. */
  readonly text: string;
  /** The nodes that it may request; `all` if it computes their names at run time. */
  readonly nodes: ReadonlySet<string> | 'all';
  /** Outputs and runs that it requests by number; `any` if it computes them. */
  readonly outputs: readonly AskedOutput[] | 'any';
  /** Names of all properties that it reads or writes. */
  readonly properties: ReadonlySet<string>;
  /** True if it may read the content of files. */
  readonly readsFiles: boolean;
}

const PREFIX = '(async function () {';
const SUFFIX = '\n})';
/** Names by which code could indirectly reach the functions that return nodes. */
const INDIRECT = new Set(['eval', 'Function', 'globalThis']);
/** The functions that return nodes. */
const ROOTS = new Set(['$', '$node', '$items']);
/** Methods of a node that take the number of an output. */
export const ITEM_METHODS = new Set(['all', 'first', 'last']);

/** Maximum size of the cache, in characters of code. */
const KEPT_CHARACTERS = 8_000_000;
const kept = createBoundedCache<string, CodeSource>({ maxWeight: KEPT_CHARACTERS });

/**
 * Analyses code, with a cache of recent results. Never throws: invalid code may request anything, and fails with its
 * error when it is run.
 */
export function readSource(code: string): CodeSource {
  const known = kept.get(code);
  if (known !== undefined) return known;
  const source = read(code);
  kept.set(code, source, code.length);
  return source;
}

function read(code: string): CodeSource {
  const text = `${PREFIX}${code}${SUFFIX}`;
  try {
    const found = new Findings();
    visit(parse(text, { ecmaVersion: 'latest', sourceType: 'script' }), found);
    return {
      text,
      nodes: found.isOpen ? 'all' : found.nodes,
      outputs: found.areOutputsOpen ? 'any' : found.outputs,
      properties: found.properties,
      readsFiles: found.readsFiles,
    };
  } catch {
    return { text, nodes: 'all', outputs: [], properties: new Set(), readsFiles: false };
  }
}

/** Results of a walk over the syntax tree. */
class Findings {
  readonly nodes = new Set<string>();
  readonly properties = new Set<string>();
  readonly outputs: AskedOutput[] = [];
  isOpen = false;
  areOutputsOpen = false;
  readsFiles = false;

  name(value: string | undefined): void {
    if (value === undefined) this.isOpen = true;
    else this.nodes.add(value);
  }

  ask(values: readonly (Expression | SpreadElement)[], output: number | undefined, run: number | undefined): void {
    const [first, second] = values.map(numberOf);
    if (values.length > 2 || first === null || second === null) this.areOutputsOpen = true;
    else this.outputs.push({ output: first ?? output, run: second ?? run });
  }
}

function visit(node: AnyNode, found: Findings): void {
  if (node.type === 'CallExpression' && visitCall(node.callee, node.arguments, found)) return;
  if (node.type === 'MemberExpression') visitMember(node.object, node.property, node.computed, found);
  else if (node.type === 'Property') visitProperty(node, found);
  else if (node.type === 'Identifier') visitName(node.name, found);
  else for (const child of childrenOf(node)) visit(child, found);
}

function visitName(name: string, found: Findings): void {
  if (ROOTS.has(name) || INDIRECT.has(name)) found.isOpen = true;
}

/** Property names are not variables, unless they are computed. */
function visitProperty({ key, value, computed }: Property | AssignmentProperty, found: Findings): void {
  if (computed) visit(key, found);
  else if (key.type === 'Identifier') found.properties.add(key.name);
  visit(value, found);
}

/** True if the call has been handled completely. */
function visitCall(
  callee: Expression | Super,
  values: readonly (Expression | SpreadElement)[],
  found: Findings,
): boolean {
  const name = nameOf(callee);
  const owner = callee.type === 'MemberExpression' ? [callee.object] : [];
  if (name === '$' || name === '$items') {
    if (values.length > 0 || name === '$') found.name(textOf(values[0]));
    if (name === '$items' && values.length > 0) found.ask(values.slice(1), 0, -1);
    for (const child of [...owner, ...values]) visit(child, found);
    return true;
  }
  if (callee.type === 'MemberExpression' && ITEM_METHODS.has(name ?? '') && values.length > 0)
    found.ask(values, undefined, undefined);
  return false;
}

function visitMember(object: Expression | Super, property: AnyNode, isComputed: boolean, found: Findings): void {
  const name = isComputed ? textOf(property) : property.type === 'Identifier' ? property.name : undefined;
  if (name !== undefined) found.properties.add(name);
  if (name === 'getBinaryDataBuffer' || (name === 'data' && isBinary(object))) found.readsFiles = true;
  if (nameOf(object) === '$node') found.name(name);
  else visit(object, found);
  if (isComputed) visit(property, found);
}

/** True for `item.binary.name` and `$binary.name`. */
function isBinary(object: AnyNode): boolean {
  return object.type === 'MemberExpression' && ['binary', '$binary'].includes(nameOf(object.object) ?? '');
}

/** The name of a variable, or the last property of a member expression. */
function nameOf(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && !node.computed && node.property.type === 'Identifier'
    ? node.property.name
    : undefined;
}

function textOf(node: AnyNode | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  return node?.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}

/** The value of a number; undefined for `undefined`, null for anything else. */
function numberOf(node: AnyNode): number | undefined | null {
  if (node.type === 'Identifier' && node.name === 'undefined') return undefined;
  if (node.type === 'UnaryExpression' && node.operator === '-') return -(numberOf(node.argument) ?? NaN);
  return node.type === 'Literal' && typeof node.value === 'number' ? node.value : null;
}
