import { connect, node, type NodeFile, type WorkflowFile } from './workflows';

/** Name of the hostile node. */
export const HOSTILE_NODE = 'Hostile';

/** Code that exceeds the time, memory or depth of a run. */
const PROGRAMS: readonly (readonly [what: string, code: string])[] = [
  ['a loop', 'for (;;) {}'],
  ['a loop that swallows its end', 'for (;;) { try { for (;;) {} } catch {} }'],
  ['a promise that is never kept', 'await new Promise(() => {})'],
  ['endless microtasks', 'for (;;) await null'],
  ['endless timers', 'setInterval(() => {}, 0); await new Promise(() => {})'],
  ['lists in lists', 'const kept = []; for (;;) kept.push(Array(4096).fill([]))'],
  ['bytes', 'const kept = []; for (;;) kept.push(new Uint8Array(1 << 23).fill(7))'],
  ['strings that double', 'let text = "weft"; for (;;) text += text'],
  ['a number of many digits', 'let n = 7n; for (;;) n *= n'],
  ['recursion', 'const dive = (n) => dive(n + 1) + 1; return { depth: dive(0) }'],
  ['a pattern that tries everything', 'return { hit: /^(\\w+\\s?)+$/.test("word ".repeat(40) + "!") }'],
  ['a result too large to keep', 'return { text: "x".repeat(40e6) }'],
  ['a result that never ends to be read', 'return { toJSON() { for (;;) {} } }'],
  ['keys without number', 'return new Proxy({}, { ownKeys: () => Array(2e7).fill("k") })'],
];

/** An expression that costs a good part of its CPU budget, and takes longer on a slow machine. */
export const BUSY = '(() => { for (let i = 0; i < 50000; i++) {} return "x" })()';

/** Expressions that exceed the same limits. */
const BODIES: readonly (readonly [what: string, body: string])[] = [
  ['a loop', '(() => { for (;;) {} })()'],
  ['recursion', '(() => { const dive = (n) => dive(n + 1); return dive(0) })()'],
  ['a long text', '"weft".repeat(1e9)'],
  ['a long list', 'Array.from({ length: 1e9 }, (_, i) => i)'],
  ['lists in lists', '[...Array(9e4).keys()].map(() => [...Array(9e4).keys()])'],
  ['a pattern that tries everything', '/^(?=(a+)+$)b/.test("a".repeat(60) + "!")'],
  ['searches that each end in time', 'Array.from({ length: 500 }, () => /(?=x*y)z|x*q/.test("x".repeat(9000)))'],
  ['a format of dates with readings without end', '("1".repeat(60) + "x").toDateTime("uyuyuyuyuyuyuyuy")'],
];

/** The node by which they are started. */
export const START = node('Start', 'manualTrigger', 1, 0);
const behindStart = (last: NodeFile): WorkflowFile => ({
  name: `hostile ${last.name}`,
  nodes: [START, last],
  connections: connect({ [START.name]: [[last.name]] }),
  settings: { executionOrder: 'v1' },
});
/** A workflow that runs code. */
export const codeOf = (code: string): WorkflowFile => behindStart(node(HOSTILE_NODE, 'code', 2, 200, { jsCode: code }));
/** A workflow that evaluates an expression. */
export const expressionOf = (body: string): WorkflowFile =>
  behindStart(
    node(HOSTILE_NODE, 'set', 3.4, 200, {
      mode: 'manual',
      options: {},
      assignments: { assignments: [{ id: 'a', name: 'found', type: 'string', value: `={{ ${body} }}` }] },
    }),
  );

/** Workflows whose node exceeds a limit of the run: each ends with an error of that node. */
export const HOSTILE: readonly (readonly [what: string, workflow: WorkflowFile])[] = [
  ...PROGRAMS.map(([what, code]) => [`code: ${what}`, codeOf(code)] as const),
  ...BODIES.map(([what, body]) => [`expression: ${what}`, expressionOf(body)] as const),
];
