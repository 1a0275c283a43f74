import type { AnyNode } from 'acorn';
import { childrenOf, isNode } from '../code/syntax-tree';

/** A use of a name other than its declaration. `member`: as the object of a member access. */
export interface NameUse {
  readonly name: string;
  readonly how: 'value' | 'member' | 'assigned' | 'memberAssigned';
}

/** The names used in code. */
export interface Names {
  /** Of variables, functions, classes and parameters, wherever they are declared. */
  readonly declared: ReadonlySet<string>;
  readonly uses: readonly NameUse[];
  /** Properties visible in the text. */
  readonly properties: ReadonlySet<string>;
  /** Types of its syntax nodes. */
  readonly syntax: ReadonlySet<string>;
}

/** Finds the names in code. */
export function findNames(code: AnyNode): Names {
  const walk = new Walk();
  walk.visit(code);
  return walk;
}

class Walk implements Names {
  readonly declared = new Set<string>();
  readonly uses: NameUse[] = [];
  readonly properties = new Set<string>();
  readonly syntax = new Set<string>();

  visit(node: AnyNode): void {
    this.syntax.add(node.type);
    if (node.type === 'Identifier') this.uses.push({ name: node.name, how: 'value' });
    else if (node.type === 'MemberExpression') this.#visitMember(node.object, node.property, node.computed);
    else if (isProperty(node)) this.#visitProperty(node);
    else if (isAssignment(node)) this.#visitAssignment(node);
    else if (node.type === 'LabeledStatement') this.visit(node.body);
    else if (node.type !== 'BreakStatement' && node.type !== 'ContinueStatement') this.#visitDeclaring(node);
  }

  /** Visits a node that may declare names, or one without special handling. */
  #visitDeclaring(node: AnyNode): void {
    const declaring: unknown[] = [];
    if (node.type === 'VariableDeclarator') declaring.push(node.id);
    else if (node.type === 'CatchClause') declaring.push(node.param);
    else if (isFunction(node)) declaring.push(node.id, ...node.params);
    else if (node.type === 'ClassDeclaration' || node.type === 'ClassExpression') declaring.push(node.id);
    for (const pattern of declaring.filter(isNode)) this.#declare(pattern);
    for (const child of childrenOf(node)) if (!declaring.includes(child)) this.visit(child);
  }

  #visitMember(object: AnyNode, property: AnyNode, isComputed: boolean): void {
    this.#visitKey(property, isComputed);
    if (object.type === 'Identifier') this.uses.push({ name: object.name, how: 'member' });
    else this.visit(object);
  }

  #visitProperty({ key, value, computed }: PropertyNode): void {
    this.#visitKey(key, computed);
    if (isNode(value)) this.visit(value);
  }

  #visitKey(key: AnyNode, isComputed: boolean): void {
    if (key.type === 'Literal') this.properties.add(String(key.value));
    else if (key.type === 'Identifier' && !isComputed) this.properties.add(key.name);
    if (isComputed) this.visit(key);
  }

  #visitAssignment(node: Assignment): void {
    if (node.type === 'AssignmentExpression') {
      this.#assign(node.left);
      this.visit(node.right);
    } else if (node.type === 'UpdateExpression' || node.type === 'UnaryExpression') this.#assign(node.argument);
    else {
      if (node.left.type === 'VariableDeclaration') this.visit(node.left);
      else this.#assign(node.left);
      this.visit(node.right);
      this.visit(node.body);
    }
  }

  /** Collects the names that a pattern declares; its defaults are code. */
  #declare(pattern: AnyNode): void {
    this.#each(pattern, (target) => {
      if (target.type === 'Identifier') this.declared.add(target.name);
      else this.visit(target);
    });
  }

  /** Collects the targets that a pattern assigns to or deletes. */
  #assign(pattern: AnyNode): void {
    this.#each(pattern, (target) => {
      if (target.type === 'Identifier') this.uses.push({ name: target.name, how: 'assigned' });
      else this.visit(target);
      const root = target.type === 'Identifier' ? undefined : rootOf(target);
      if (root !== undefined) this.uses.push({ name: root, how: 'memberAssigned' });
    });
  }

  /** Calls back for each target within a pattern. */
  #each(pattern: AnyNode, onTarget: (target: AnyNode) => void): void {
    if (pattern.type === 'ArrayPattern') {
      for (const element of pattern.elements) if (element !== null) this.#each(element, onTarget);
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties) {
        if (property.type === 'Property') this.#visitKey(property.key, property.computed);
        this.#each(property.type === 'Property' ? property.value : property.argument, onTarget);
      }
    } else if (pattern.type === 'AssignmentPattern') {
      this.visit(pattern.right);
      this.#each(pattern.left, onTarget);
    } else if (pattern.type === 'RestElement') this.#each(pattern.argument, onTarget);
    else onTarget(pattern);
  }
}

type Assignment = Extract<
  AnyNode,
  { type: 'AssignmentExpression' | 'UpdateExpression' | 'UnaryExpression' | 'ForInStatement' | 'ForOfStatement' }
>;

const isAssignment = (node: AnyNode): node is Assignment =>
  node.type === 'AssignmentExpression' ||
  node.type === 'UpdateExpression' ||
  (node.type === 'UnaryExpression' && node.operator === 'delete') ||
  node.type === 'ForInStatement' ||
  node.type === 'ForOfStatement';

type PropertyNode = Extract<AnyNode, { type: 'Property' | 'MethodDefinition' | 'PropertyDefinition' }>;

const isProperty = (node: AnyNode): node is PropertyNode =>
  node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition';

const isFunction = (
  node: AnyNode,
): node is Extract<AnyNode, { type: 'FunctionExpression' | 'FunctionDeclaration' | 'ArrowFunctionExpression' }> =>
  node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration' || node.type === 'ArrowFunctionExpression';

/** The name at the beginning of `name.a.b`. */
function rootOf(node: AnyNode): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'ChainExpression' ? rootOf(node.expression) : undefined;
}
