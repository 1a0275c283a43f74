// A rule for regular expressions: linear by proof, or the input is cut first.
import { checkSync } from 'recheck';

const PROOF = { checker: 'automaton', timeout: 20_000 };
/** Characters that an expression may read on an input of the given length: some tens of milliseconds. */
const MAX_READ = 2e7;
/** Greatest length of the input of an expression that nothing is proved of. */
const MAX_UNPROVED = 1_024;
/** Before an expression that is not linear: the greatest length of its input, and where that is cut. */
const BOUND = /\bat most ([\d,]+) characters\b/i;

/** The degree of the worst case: 1 for an expression that is proved linear, infinite for one without a proof. */
const degreeOf = (pattern, flags) => {
  // Without an unbounded repetition the work for each character is bounded by the pattern.
  if (!/[*+]|\{\d+,\}/.test(pattern)) return 1;
  // A sticky expression is tried at one place.
  const checked = flags.includes('y') ? `^(?:${pattern})` : pattern;
  const { status, complexity } = checkSync(checked, flags.replace(/[dvy]/g, ''), PROOF);
  if (status === 'safe') return 1;
  return complexity?.type === 'polynomial' ? complexity.degree : Infinity;
};

/** The source of a pattern that is written as a string; undefined if it is computed. */
const textOf = (node, scope) => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const parts = [textOf(node.left, scope), textOf(node.right, scope)];
    return parts.includes(undefined) ? undefined : parts.join('');
  }
  if (node?.type === 'TemplateLiteral') {
    const values = node.expressions.map((part) => textOf(part, scope));
    if (values.includes(undefined)) return undefined;
    return node.quasis.map(({ value }, at) => value.cooked + (values[at] ?? '')).join('');
  }
  if (node?.type !== 'Identifier') return undefined;
  for (let at = scope; at !== null; at = at.upper) {
    const variable = at.set.get(node.name);
    if (variable === undefined) continue;
    const [definition] = variable.defs;
    return definition?.parent?.kind === 'const' ? textOf(definition.node.init, at) : undefined;
  }
  return undefined;
};

const messageFor = (degree) =>
  degree === Infinity
    ? 'This regular expression is not proved to be linear.'
    : `This regular expression takes time of degree ${degree} in the length of its input.`;

/** @type {import('eslint').Rule.RuleModule} */
export const linearRegexp = {
  meta: {
    type: 'problem',
    schema: [],
    docs: { description: 'Regular expressions are linear, or their input is cut.' },
  },
  create(context) {
    const { sourceCode } = context;
    /** The comments before the expression, and before the statement or property that it is in. */
    const commentsAt = (node) => {
      let statement = node;
      while (statement.parent && !/Statement$|Declaration$|^PropertyDefinition$|^Property$/.test(statement.type))
        statement = statement.parent;
      const places = [node, statement];
      // A comment before an exported constant is before its export.
      if (statement.parent?.type === 'ExportNamedDeclaration') places.push(statement.parent);
      return places
        .flatMap((place) => sourceCode.getCommentsBefore(place))
        .map(({ value }) => value.replace(/\n\s*\*?\s*/g, ' '))
        .join(' ');
    };
    const boundAt = (node) => {
      const length = BOUND.exec(commentsAt(node))?.[1];
      return length === undefined ? undefined : Number(length.replaceAll(',', ''));
    };
    const check = (node, pattern, flags) => {
      const degree = degreeOf(pattern, flags);
      if (degree === 1) return;
      const bound = boundAt(node);
      if (bound !== undefined && (degree === Infinity ? bound <= MAX_UNPROVED : bound ** degree <= MAX_READ)) return;
      context.report({
        node,
        message:
          `${messageFor(degree)} Make it linear, or cut its input first and say so in a comment before it: ` +
          '"at most N characters", with an N for which it takes little time.',
      });
    };
    const checkCall = (node) => {
      if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
      const scope = sourceCode.getScope(node);
      const [pattern, flags] = node.arguments.map((argument) => textOf(argument, scope));
      if (pattern === undefined) {
        if (!/\blinear\b/i.test(commentsAt(node)) && boundAt(node) === undefined)
          context.report({
            node,
            message: 'This regular expression is computed: say in a comment before it why it is linear.',
          });
      } else check(node, pattern, flags ?? '');
    };
    return {
      Literal: (node) => {
        if (node.regex !== undefined) check(node, node.regex.pattern, node.regex.flags);
      },
      NewExpression: checkCall,
      CallExpression: checkCall,
    };
  },
};
