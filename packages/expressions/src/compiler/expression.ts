import type { Expression, Pattern, PrivateIdentifier, SpreadElement, Super } from 'acorn';
import type { Code } from './frame';
import type { Context } from './context';
import { compileArray, compileObject, compileTemplate } from './literals';
import { compileAssignment, compileUpdate } from './assignments';
import { compileCall, compileNew, compileTagged } from './calls';
import { compileChain, compileMember } from './members';
import { compileFunction } from './functions';
import { compileIdentifier, compileThis } from './identifiers';
import { compileLiteral } from './constants';
import { compileBinary, compileConditional, compileLogical, compileSequence, compileUnary } from './operators';

/** Node that can occur where acorn's types allow an expression or something that is only legal in other places. */
export type AnyExpression = Expression | Super | PrivateIdentifier | SpreadElement | Pattern;

/**
 * Compiles an expression to a closure. Throws for syntax that is left out of the language, and for names that may not
 * be used, whether the code would be reached or not.
 */
export function compileExpression(node: AnyExpression, context: Context): Code {
  return context.unit.nested(() => compileNode(node, context));
}

function compileNode(node: AnyExpression, context: Context): Code {
  switch (node.type) {
    case 'Literal':
      return compileLiteral(node, context);
    case 'Identifier':
      return compileIdentifier(node, context);
    case 'ThisExpression':
      return compileThis(context);
    case 'TemplateLiteral':
      return compileTemplate(node, context);
    case 'ArrayExpression':
      return compileArray(node, context);
    case 'ObjectExpression':
      return compileObject(node, context);
    case 'MemberExpression':
      return compileMember(node, context);
    case 'ChainExpression':
      return compileChain(node, context);
    case 'CallExpression':
      return compileCall(node, context);
    case 'NewExpression':
      return compileNew(node, context);
    case 'TaggedTemplateExpression':
      return compileTagged(node, context);
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return compileFunction(node, context);
    case 'ParenthesizedExpression':
      return compileExpression(node.expression, context);
    default:
      return compileOperation(node, context);
  }
}

function compileOperation(node: AnyExpression, context: Context): Code {
  switch (node.type) {
    case 'UnaryExpression':
      return compileUnary(node, context);
    case 'BinaryExpression':
      return compileBinary(node, context);
    case 'LogicalExpression':
      return compileLogical(node, context);
    case 'ConditionalExpression':
      return compileConditional(node, context);
    case 'SequenceExpression':
      return compileSequence(node, context);
    case 'AssignmentExpression':
      return compileAssignment(node, context);
    case 'UpdateExpression':
      return compileUpdate(node, context);
    default:
      throw refused(node, context);
  }
}

const LEFT_OUT: Readonly<Record<string, string>> = {
  ClassExpression: 'Classes are',
  YieldExpression: 'Generators are',
  AwaitExpression: 'await is',
  ImportExpression: 'import is',
  MetaProperty: 'new.target and import.meta are',
  Super: 'super is',
  PrivateIdentifier: 'Private names are',
};

function refused(node: AnyExpression, context: Context): Error {
  const what = Object.hasOwn(LEFT_OUT, node.type) ? LEFT_OUT[node.type] : undefined;
  return context.unit.refuse(what ?? `${node.type} is`, node.start, 'Use a Code node for it.');
}
