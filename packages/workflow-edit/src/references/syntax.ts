import type { AnyNode, Expression, Super } from 'acorn';
import { tokenizer, tokTypes } from 'acorn';
import { childrenOf, declarationsOf } from './scopes';
import type { OpenReference, TextReference } from './reference';

/** Language versions and forms of both parsers; only positions of tokens are read with it. */
const TOKENS = { ecmaVersion: 'latest' } as const;

/** Functions that take the name of a node. */
const FUNCTIONS: ReadonlySet<string> = new Set(['$', '$items']);

/** Finds references in a syntax tree. Positions are those of `source`. */
export class ReferenceWalk {
  readonly references: TextReference[] = [];
  readonly open: OpenReference[] = [];
  /** Strings that are evaluated as expressions: `$evaluateExpression('…')`. */
  readonly nested: { readonly value: string; readonly start: number; readonly end: number }[] = [];
  readonly #scopes: ReadonlySet<string>[] = [];

  constructor(private readonly source: string) {}

  visit(node: AnyNode): void {
    const declared = declarationsOf(node);
    if (declared !== undefined) this.#scopes.push(declared);
    this.#visitInScope(node);
    if (declared !== undefined) this.#scopes.pop();
  }

  #visitInScope(node: AnyNode): void {
    if (node.type === 'CallExpression' && this.#visitCall(node.callee, node.arguments)) return;
    if (node.type === 'MemberExpression' && this.#isRoot(node.object, '$node')) {
      this.#visitNodeMember(node.object, node.property, node.computed);
      this.#visitOwner(node.object);
      return;
    }
    if (this.#isBareRoot(node)) this.open.push({ start: node.start, end: node.end });
    for (const child of childrenOf(node)) this.visit(child);
  }

  /** True if the call has been handled. */
  #visitCall(callee: Expression | Super, args: readonly AnyNode[]): boolean {
    const name = this.#rootNameOf(callee);
    if (name === undefined) return false;
    const [first] = args;
    if (name === '$evaluateExpression') {
      if (first?.type === 'Literal' && typeof first.value === 'string')
        this.nested.push({ value: first.value, start: first.start, end: first.end });
      else if (first !== undefined) this.open.push({ start: first.start, end: first.end });
    } else if (!FUNCTIONS.has(name)) return false;
    else if (first !== undefined) {
      const text = nameIn(first);
      if (text === undefined) this.open.push({ start: first.start, end: first.end });
      else this.references.push({ node: text, form: 'text', start: first.start, end: first.end });
    }
    this.#visitOwner(callee);
    for (const arg of args) this.visit(arg);
    return true;
  }

  #visitNodeMember(object: Expression | Super, property: AnyNode, isComputed: boolean): void {
    if (!isComputed) {
      if (property.type !== 'Identifier') return;
      const start = this.#dotBefore(object.end, property.start);
      this.references.push({ node: property.name, form: 'member', start, end: property.end });
      return;
    }
    const text = nameIn(property);
    if (text === undefined) {
      this.open.push({ start: property.start, end: property.end });
      this.visit(property);
    } else this.references.push({ node: text, form: 'text', start: property.start, end: property.end });
  }

  /** Visits the object that a root is a member of: `$item(0)` in `$item(0).$node`. */
  #visitOwner(root: Expression | Super): void {
    if (root.type === 'MemberExpression') this.visit(root.object);
  }

  /** Start of the `.` or `?.` between two positions. */
  #dotBefore(from: number, to: number): number {
    // A name follows, without which `?.` would not be one token.
    const tokens = tokenizer(`${this.source.slice(from, to)}x`, TOKENS);
    for (const token of tokens)
      if (token.type === tokTypes.dot || token.type === tokTypes.questionDot) return from + token.start;
    return to;
  }

  #isRoot(node: Expression | Super, name: string): boolean {
    return this.#rootNameOf(node) === name;
  }

  /** The name of a root: as a variable that is not declared in the text, or as a member of `$item(…)` or `this`. */
  #rootNameOf(node: Expression | Super): string | undefined {
    if (node.type === 'Identifier') return this.#isDeclared(node.name) ? undefined : node.name;
    if (node.type !== 'MemberExpression') return undefined;
    const name = node.computed ? nameIn(node.property) : node.property.type === 'Identifier' ? node.property.name : '';
    return name !== undefined && name.startsWith('$') && this.#hasRoots(node.object) ? name : undefined;
  }

  #hasRoots(node: Expression | Super): boolean {
    if (node.type === 'ThisExpression') return true;
    if (node.type === 'Identifier') return node.name === 'globalThis' && !this.#isDeclared(node.name);
    return node.type === 'CallExpression' && this.#rootNameOf(node.callee) === '$item';
  }

  /** True for a root that is passed on, after which anything can be asked of it. */
  #isBareRoot(node: AnyNode): boolean {
    if (node.type !== 'Identifier' && node.type !== 'MemberExpression') return false;
    const name = this.#rootNameOf(node);
    return name !== undefined && (name === '$node' || FUNCTIONS.has(name));
  }

  #isDeclared(name: string): boolean {
    return this.#scopes.some((scope) => scope.has(name));
  }
}

/** The name that is written in the text; undefined if it is computed. */
function nameIn(node: AnyNode): string | undefined {
  if (node.type === 'Literal')
    return typeof node.value === 'string' || typeof node.value === 'number' ? String(node.value) : undefined;
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? (node.quasis[0]?.value.cooked ?? undefined)
    : undefined;
}
