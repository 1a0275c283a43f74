import type { AnyNode, Pattern } from 'acorn';

/** Child nodes in the order of the text, without names that are not variables: keys and members after a dot. */
export function childrenOf(node: AnyNode): AnyNode[] {
  switch (node.type) {
    case 'MemberExpression':
      return node.computed ? [node.object, node.property] : [node.object];
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return [...(node.computed ? [node.key] : []), ...(node.value ? [node.value] : [])];
    case 'LabeledStatement':
      return [node.body];
    case 'BreakStatement':
    case 'ContinueStatement':
      return [];
    default:
      return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode));
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;
}

/** Names that a node declares for everything in it; undefined for a node without a scope. */
export function declarationsOf(node: AnyNode): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  switch (node.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      for (const parameter of node.params) addNames(parameter, names);
      if (node.type === 'FunctionExpression' && node.id) names.add(node.id.name);
      addVars(node.body, names);
      return names;
    case 'Program':
      addVars(node, names);
      addLexical(node.body, names);
      return names;
    case 'BlockStatement':
    case 'StaticBlock':
      addLexical(node.body, names);
      return names;
    case 'ForStatement':
      if (node.init) addLexical([node.init], names);
      return names;
    case 'ForInStatement':
    case 'ForOfStatement':
      addLexical([node.left], names);
      return names;
    case 'SwitchStatement':
      addLexical(
        node.cases.flatMap(({ consequent }) => consequent),
        names,
      );
      return names;
    case 'CatchClause':
      if (node.param) addNames(node.param, names);
      return names;
    case 'ClassExpression':
      if (node.id) names.add(node.id.name);
      return names;
    default:
      return undefined;
  }
}

/** `let`, `const`, classes and functions of a block. */
function addLexical(statements: readonly AnyNode[], names: Set<string>): void {
  for (const statement of statements) {
    if (statement.type === 'VariableDeclaration' && statement.kind !== 'var')
      for (const { id } of statement.declarations) addNames(id, names);
    else if (statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration')
      if (statement.id) names.add(statement.id.name);
  }
}

/** `var` anywhere in a function, other functions in it excluded. */
function addVars(node: AnyNode, names: Set<string>): void {
  if (node.type === 'VariableDeclaration' && node.kind === 'var')
    for (const { id } of node.declarations) addNames(id, names);
  for (const child of childrenOf(node)) {
    const isFunction =
      child.type === 'FunctionDeclaration' ||
      child.type === 'FunctionExpression' ||
      child.type === 'ArrowFunctionExpression';
    if (!isFunction) addVars(child, names);
  }
}

/** The variables that a pattern binds. */
function addNames(pattern: Pattern, names: Set<string>): void {
  switch (pattern.type) {
    case 'Identifier':
      names.add(pattern.name);
      break;
    case 'ObjectPattern':
      for (const property of pattern.properties)
        addNames(property.type === 'RestElement' ? property.argument : property.value, names);
      break;
    case 'ArrayPattern':
      for (const element of pattern.elements) if (element) addNames(element, names);
      break;
    case 'RestElement':
      addNames(pattern.argument, names);
      break;
    case 'AssignmentPattern':
      addNames(pattern.left, names);
      break;
    case 'MemberExpression':
      break;
  }
}
