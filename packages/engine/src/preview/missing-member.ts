import { compileParameter, evaluate, ExpressionError, splitTemplate, type ExpressionScope } from '@weft/expressions';
import { nearestName } from '@weft/node-catalogue/definitions';
import type { Expression, Super } from 'acorn';

/** A field that an expression reads and the value lacks, with the name that was probably meant. */
export interface MissingMember {
  readonly name: string;
  readonly meant: string | undefined;
  /** Range of the name in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the field for which an expression gives nothing, or no number: the first member of `$json.order.custmer.name`,
 * or of an operand of `$json.quantity * $json.price`, that does not exist. Undefined for other expressions.
 */
export function missingMember(text: string, scope: ExpressionScope): MissingMember | undefined {
  const [part, ...others] = partsOf(text).filter(({ kind }) => kind === 'code');
  if (part?.kind !== 'code' || others.length > 0) return undefined;
  for (const operand of operandsOf(part.node)) {
    const missing = missingIn(operand, part, scope);
    if (missing !== undefined) return missing;
  }
  return undefined;
}

/** The member of a chain that does not exist. */
function missingIn(
  node: Expression | Super,
  { source, offset }: { readonly source: string; readonly offset: number },
  scope: ExpressionScope,
): MissingMember | undefined {
  for (const { object, name, start, end } of membersOf(node)) {
    const value = valueOf(source.slice(object.start, object.end), scope);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (Object.hasOwn(value, name)) continue;
    return { name, meant: nearestName(name, Object.keys(value)), start: offset + start, end: offset + end };
  }
  return undefined;
}

function operandsOf(node: Expression): Expression[] {
  if (node.type !== 'BinaryExpression' || node.left.type === 'PrivateIdentifier') return [node];
  return [...operandsOf(node.left), ...operandsOf(node.right)];
}

function partsOf(text: string): ReturnType<typeof splitTemplate> {
  try {
    return splitTemplate(text, 1);
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof RangeError) return [];
    throw error;
  }
}

interface Member {
  readonly object: Expression;
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The members of a chain, the innermost first. */
function membersOf(node: Expression | Super): Member[] {
  if (node.type === 'ChainExpression') return membersOf(node.expression);
  if (node.type === 'CallExpression') return membersOf(node.callee);
  if (node.type !== 'MemberExpression' || node.object.type === 'Super') return [];
  const inner = membersOf(node.object);
  if (node.computed || node.property.type !== 'Identifier') return inner;
  const { name, start, end } = node.property;
  return [...inner, { object: node.object, name, start, end }];
}

function valueOf(source: string, scope: ExpressionScope): unknown {
  try {
    return evaluate(compileParameter(`={{ ${source} }}`), scope);
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}
