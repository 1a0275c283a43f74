import type { AppDocument, AppKind, AppOperation } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { callProblems } from './check-steps';

/** Parts that an operation with `batch` does not have. */
const EXCLUDED = ['pages', 'item', 'file', 'attachments', 'multipart', 'firstOnly', 'inOrder'] as const;

/** Problems with the `batch` of an operation. */
export function batchProblems(path: Step[], operation: AppOperation): SourceProblem[] {
  if (operation.batch === undefined) return [];
  return [
    ...EXCLUDED.filter((part) => operation[part] !== undefined).map((part) => ({
      path: [...path, part],
      message: 'An operation with `batch` does not have it.',
    })),
    ...(operation.call === undefined || operation.list === undefined
      ? [{ path, message: 'An operation with `batch` needs a `call` and a `list`.' }]
      : []),
  ];
}

/** Problems with the names of the parameters whose values get types. */
export function typedProblems(path: Step[], { parameters }: AppKind, { typed = {} }: AppOperation): SourceProblem[] {
  return Object.keys(typed)
    .filter((name) => !parameters.some((one) => one.name === name && one.type === 'resourceMapper'))
    .map((name) => ({ path: [...path, 'typed', name], message: 'It must name a parameter of type resourceMapper.' }));
}

/** Problems with the `attachments` of an operation. @param used gets the names that are used */
export function attachmentProblems(
  app: AppDocument,
  path: Step[],
  { attachments, rows }: AppOperation,
  used: Set<string>,
): SourceProblem[] {
  if (attachments === undefined) return [];
  const at = [...path, 'attachments'];
  return [
    ...callProblems(app, [...at, 'call'], attachments.call, used),
    ...(rows === undefined ? [] : [{ path: at, message: 'An operation with `rows` does not have it.' }]),
  ];
}
