import type { AppDocument, AppKind, AppOperation, AppRows } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { callProblems, plainStepProblems } from './check-steps';

type Part = 'mapping' | 'columns' | 'write' | 'append' | 'find';

/** The parts that each mode needs; it has no others, apart from `columns`. */
const PARTS: Readonly<Record<AppRows['mode'], readonly Part[]>> = {
  append: ['mapping', 'columns', 'append'],
  update: ['mapping', 'columns', 'write'],
  upsert: ['mapping', 'columns', 'write', 'append'],
  read: ['find'],
};
const ALL_PARTS: readonly Part[] = ['mapping', 'columns', 'write', 'append', 'find'];
/** Parts of an operation that the block replaces. */
const REPLACED = ['call', 'pages', 'list', 'item', 'file', 'body', 'path', 'query', 'headers', 'method'] as const;

/** Problems with the block `rows` of an operation. */
export function rowsProblems(
  app: AppDocument,
  path: Step[],
  kind: AppKind,
  operation: AppOperation,
  used: Set<string>,
): SourceProblem[] {
  const { rows, steps = [] } = operation;
  if (rows === undefined) return [];
  const at = [...path, 'rows'];
  const { mode, mapping } = rows;
  return [
    ...REPLACED.filter((part) => operation[part] !== undefined).map((part) => ({
      path: [...path, part],
      message: 'An operation with `rows` does not have it.',
    })),
    ...PARTS[mode]
      .filter((part) => rows[part] === undefined)
      .map((part) => ({ path: at, message: `The mode ${mode} needs \`${part}\`.` })),
    ...ALL_PARTS.filter((part) => rows[part] !== undefined && !PARTS[mode].includes(part)).map((part) => ({
      path: [...at, part],
      message: `The mode ${mode} does not have it.`,
    })),
    ...(['read', 'columns', 'write', 'append'] as const).flatMap((part) => {
      const call = rows[part]?.call;
      return call === undefined ? [] : callProblems(app, [...at, part, 'call'], call, used);
    }),
    ...plainStepProblems([...path, 'steps'], steps),
    ...steps
      .map(({ call, method = app.calls[call]?.method ?? 'GET' }, index) => ({ method, index }))
      .filter(({ method }) => method !== 'GET')
      .map(({ index }) => ({
        path: [...path, 'steps', index],
        message: 'Steps before `rows` are shared by items, so that they can only read: their method must be GET.',
      })),
    ...(mapping === undefined ||
    kind.parameters.some(({ name, type }) => name === mapping.from && type === 'resourceMapper')
      ? []
      : [{ path: [...at, 'mapping', 'from'], message: 'It must name a parameter of type resourceMapper.' }]),
  ];
}
