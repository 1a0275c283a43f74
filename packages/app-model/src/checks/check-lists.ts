import type { AppDocument, AppParameter } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';
import { callProblems, plainStepProblems } from './check-steps';

/** Types of parameters whose values can be taken from a list. */
const LISTED: readonly AppParameter['type'][] = ['options', 'multiOptions', 'string', 'resourceMapper'];

/** Problems with the lists of an app: the calls and pages that they use, and the parameters that use them. */
export function listProblems(app: AppDocument, used: Set<string>): SourceProblem[] {
  const named = new Set<string>();
  const parameters = Object.entries(app.kinds).flatMap(([kind, { parameters: all }]) =>
    parameterProblems(app, ['kinds', kind, 'parameters'], all, named),
  );
  const lists = Object.entries(app.lists ?? {}).flatMap(([name, { call, pages, steps = [] }]) => {
    const path = ['lists', name];
    if (pages !== undefined) used.add(`pages.${pages}`);
    return [
      ...callProblems(app, [...path, 'call'], call, used),
      ...steps.flatMap((step, index) => callProblems(app, [...path, 'steps', index, 'call'], step.call, used)),
      ...plainStepProblems([...path, 'steps'], steps),
      ...(pages === undefined || app.pages?.[pages]?.by === 'cursor'
        ? []
        : [{ path: [...path, 'pages'], message: `There are no pages ${pages} by cursor.` }]),
      ...(named.has(name) ? [] : [{ path, message: 'No parameter uses it.' }]),
    ];
  });
  return [...parameters, ...lists];
}

function parameterProblems(
  app: AppDocument,
  path: Step[],
  parameters: readonly AppParameter[],
  named: Set<string>,
): SourceProblem[] {
  const listProblem = (list: string | undefined, at: Step[]): SourceProblem[] => {
    if (list === undefined) return [];
    named.add(list);
    return app.lists !== undefined && Object.hasOwn(app.lists, list)
      ? []
      : [{ path: [...at, 'list'], message: `There is no list ${list}.` }];
  };
  return parameters.flatMap((one, index) => {
    const at = [...path, index];
    return [
      ...listProblem(one.list, at),
      ...(one.list === undefined || LISTED.includes(one.type)
        ? []
        : [{ path: [...at, 'list'], message: `A parameter of type ${one.type} has no options.` }]),
      ...(one.modes ?? []).flatMap(({ name, list }, mode) => [
        ...listProblem(list, [...at, 'modes', mode]),
        ...(list === undefined || name === 'list'
          ? []
          : [{ path: [...at, 'modes', mode, 'list'], message: 'Only the mode `list` has it.' }]),
      ]),
      ...parameterProblems(app, [...at, 'fields'], one.fields ?? [], named),
      ...(one.groups ?? []).flatMap((group, place) =>
        parameterProblems(app, [...at, 'groups', place, 'fields'], group.fields, named),
      ),
    ];
  });
}
