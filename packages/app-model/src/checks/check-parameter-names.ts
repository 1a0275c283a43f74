import { isJsonObject } from '@weft/service-kit/json-values';
import type { AppDocument, AppKind, AppParameter } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';

/** Parameters that every kind with the block `send` gets. */
const OF_SEND = ['message', 'subject', 'responseType', 'approvalOptions', 'defineForm', 'formFields', 'jsonOutput'];
const READ = /\$p(?:\?\.|\.)([A-Za-z_]\w*)/g;

/** Expressions that read a parameter which no kind, or not the kind of the expression, has. */
export function parameterNameProblems(app: AppDocument): SourceProblem[] {
  const ofKinds = Object.entries(app.kinds).map(([name, kind]) => ({ name, kind, known: parametersOf(kind) }));
  const ofAll = new Set(ofKinds.flatMap(({ known }) => [...known]));
  const { calls, pages, lists } = app;
  return [
    ...unknownIn({ calls, pages, lists }, [], ofAll),
    ...ofKinds.flatMap(({ name, kind: { parameters: _, ...rest }, known }) => unknownIn(rest, ['kinds', name], known)),
  ];
}

function parametersOf({ parameters, operations = {} }: AppKind): ReadonlySet<string> {
  const sends = Object.values(operations).flatMap(({ send }) => (send === undefined ? [] : [...OF_SEND, 'options']));
  return new Set([...parameters.map(({ name }: AppParameter) => name), ...sends, 'pollTimes']);
}

function unknownIn(value: unknown, path: readonly Step[], known: ReadonlySet<string>): SourceProblem[] {
  if (typeof value === 'string') {
    if (!value.startsWith('=')) return [];
    const read = new Set([...value.matchAll(READ)].map(([, name = '']) => name));
    return [...read]
      .filter((name) => !known.has(name))
      .map((name) => ({ path: [...path], message: `There is no parameter \`${name}\`.` }));
  }
  if (Array.isArray(value)) return value.flatMap((entry, index) => unknownIn(entry, [...path, index], known));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, entry]) => unknownIn(entry, [...path, key], known));
}
