import { compileFunction } from 'node:vm';
import type { AppCode, AppDocument, AppOperation } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { callProblems } from './check-steps';

/** Maximum size in bytes of the source of a code step, its scripts included. */
export const MAX_CODE_BYTES = 64 * 1024;

/** Parts of an operation that the code replaces. */
const REPLACED = [
  ...(['call', 'method', 'path', 'query', 'headers', 'body', 'form', 'multipart', 'idempotent'] as const),
  ...(['pages', 'list', 'item', 'file', 'rows', 'batch'] as const),
];

/** Problems with the code step of an operation. @param used gets the names that are used */
export function codeProblems(
  app: AppDocument,
  path: Step[],
  operation: AppOperation,
  used: Set<string>,
): SourceProblem[] {
  const { code } = operation;
  if (code === undefined) return [];
  const at = [...path, 'code'];
  return [
    ...REPLACED.filter((part) => operation[part] !== undefined).map((part) => ({
      path: [...path, part],
      message: 'An operation with `code` does not have it.',
    })),
    ...code.calls.flatMap((call, index) => [
      ...callProblems(app, [...at, 'calls', index], call, used),
      ...repeated(code.calls, index, [...at, 'calls', index]),
    ]),
    ...(code.scripts ?? []).flatMap((script, index) => {
      used.add(`scripts.${script}`);
      const place = [...at, 'scripts', index];
      return [
        ...(scriptOf(app, script) === undefined ? [{ path: place, message: `There is no script ${script}.` }] : []),
        ...repeated(code.scripts ?? [], index, place),
      ];
    }),
    ...sizeProblems(app, code, [...at, 'source']),
    ...sourceProblems(code.source, [...at, 'source']),
  ];
}

/** Problems with the scripts that code steps share. */
export function scriptProblems(app: AppDocument): SourceProblem[] {
  return Object.entries(app.scripts ?? {}).flatMap(([name, text]) => syntaxProblems(text, ['scripts', name]));
}

function scriptOf({ scripts = {} }: AppDocument, name: string): string | undefined {
  return Object.hasOwn(scripts, name) ? scripts[name] : undefined;
}

function repeated(names: readonly string[], index: number, path: Step[]): SourceProblem[] {
  const name = names[index];
  return name !== undefined && names.indexOf(name) < index ? [{ path, message: `The name ${name} occurs twice.` }] : [];
}

function sizeProblems(app: AppDocument, { source, scripts = [] }: AppCode, path: Step[]): SourceProblem[] {
  const bytes = [source, ...scripts.flatMap((name) => scriptOf(app, name) ?? [])].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    0,
  );
  return bytes <= MAX_CODE_BYTES
    ? []
    : [{ path, message: `The code has ${bytes} bytes with its scripts. At most ${MAX_CODE_BYTES} are allowed.` }];
}

function sourceProblems(source: string, path: Step[]): SourceProblem[] {
  const problems = syntaxProblems(source, path);
  if (problems.length > 0 || /\bfunction\s+next\s*\(|\b(?:const|let|var)\s+next\s*=/.test(source)) return problems;
  return [{ path, message: 'The code must define a function `next`.' }];
}

/** Compiles a text as the body of a function, without running it. */
function syntaxProblems(text: string, path: Step[]): SourceProblem[] {
  try {
    compileFunction(text, [], { filename: 'code' });
    return [];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const line = Number(/^code:(\d+)/.exec(error.stack ?? '')?.[1] ?? 1);
    const message = `The code is invalid: ${error.message} (line ${line} of the code)`;
    // A text of several lines begins below its key.
    return [text.includes('\n') ? { path, message, below: line } : { path, message }];
  }
}
