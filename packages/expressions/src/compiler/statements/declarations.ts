import type { ModuleDeclaration, Pattern, Statement, VariableDeclaration } from 'acorn';
import type { BindingKind, StaticScope } from '../context';

/** Declares all names of a pattern. */
export function declarePattern(node: Pattern, kind: BindingKind, scope: StaticScope): void {
  switch (node.type) {
    case 'Identifier':
      scope.declare(node.name, kind);
      return;
    case 'ObjectPattern':
      for (const property of node.properties) {
        declarePattern(property.type === 'RestElement' ? property.argument : property.value, kind, scope);
      }
      return;
    case 'ArrayPattern':
      for (const element of node.elements) if (element !== null) declarePattern(element, kind, scope);
      return;
    case 'AssignmentPattern':
      return declarePattern(node.left, kind, scope);
    case 'RestElement':
      return declarePattern(node.argument, kind, scope);
    default:
  }
}

/** Declares what belongs to the block itself: `let`, `const` and functions. */
export function declareBlock(body: readonly (Statement | ModuleDeclaration)[], scope: StaticScope): void {
  for (const statement of body) {
    if (statement.type === 'FunctionDeclaration') scope.declare(statement.id.name, 'var');
    if (statement.type === 'VariableDeclaration') declareLexical(statement, scope);
  }
}

/** Declares the names of a `let` or `const`; nothing for a `var`. */
export function declareLexical(node: VariableDeclaration, scope: StaticScope): void {
  if (node.kind !== 'let' && node.kind !== 'const') return;
  for (const { id } of node.declarations) declarePattern(id, node.kind, scope);
}

/** Declares the `var`s of a function, wherever in it they stand. */
export function declareVars(body: readonly (Statement | ModuleDeclaration)[], scope: StaticScope): void {
  for (const statement of body) declareVarsIn(statement, scope);
}

function declareVarsIn(node: Statement | ModuleDeclaration | null | undefined, scope: StaticScope): void {
  if (node === null || node === undefined) return;
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') for (const { id } of node.declarations) declarePattern(id, 'var', scope);
      return;
    case 'BlockStatement':
      return declareVars(node.body, scope);
    case 'IfStatement':
      declareVarsIn(node.consequent, scope);
      return declareVarsIn(node.alternate, scope);
    case 'ForStatement':
      if (node.init?.type === 'VariableDeclaration') declareVarsIn(node.init, scope);
      return declareVarsIn(node.body, scope);
    case 'ForInStatement':
    case 'ForOfStatement':
      if (node.left.type === 'VariableDeclaration') declareVarsIn(node.left, scope);
      return declareVarsIn(node.body, scope);
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return declareVarsIn(node.body, scope);
    case 'SwitchStatement':
      for (const { consequent } of node.cases) declareVars(consequent, scope);
      return;
    case 'TryStatement':
      declareVars(node.block.body, scope);
      declareVarsIn(node.handler?.body, scope);
      return declareVarsIn(node.finalizer, scope);
    default:
  }
}
