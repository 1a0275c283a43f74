import type { AppKind, AppOperation } from '../app-document.gen';
import type { SourceProblem, Step } from '../source/read-source';

/** Parts that an operation with `send` does not have: it gives one item, the response of a person. */
const EXCLUDED = [
  ...(['pages', 'list', 'item', 'file', 'rows', 'code'] as const),
  ...(['batch', 'attachments', 'typed', 'firstOnly', 'inOrder'] as const),
];

/** Parameters that a kind gets for an operation with `send`. */
const PARAMETERS = [
  ...['message', 'responseType', 'approvalOptions', 'defineForm'],
  ...['formFields', 'jsonOutput', 'options'],
];

/** Problems with the block `send` of an operation. @param path of the operation in the app */
export function sendProblems(path: Step[], kind: AppKind, operation: AppOperation): SourceProblem[] {
  const { send } = operation;
  if (send === undefined) return [];
  const at = [...path, 'send'];
  return [
    ...EXCLUDED.filter((part) => operation[part] !== undefined).map((part) => ({
      path: [...path, part],
      message: 'An operation with `send` does not have it.',
    })),
    ...(readsLinks(operation)
      ? []
      : [{ path: at, message: 'The message has no links: read `$send.buttons`, or `$send.html` for a mail.' }]),
    ...clashes(path, kind),
  ];
}

function readsLinks(operation: AppOperation): boolean {
  const { send: _send, ...rest } = operation;
  return /\$send\s*(?:\?\.|\.)\s*(?:buttons|html)\b/.test(JSON.stringify(rest));
}

/** Own parameters for the operation that have the name of one that it gets. */
function clashes(path: Step[], { parameters }: AppKind): SourceProblem[] {
  const [operation = '', resource] = String(path.at(-1)).split('.').reverse();
  return parameters.flatMap(({ name, shownWhen }, index) => {
    const isShown =
      shownWhen?.['operation']?.includes(operation) === true &&
      (resource === undefined || (shownWhen['resource'] ?? [resource]).includes(resource));
    return isShown && PARAMETERS.includes(name)
      ? [
          {
            path: [...path.slice(0, -2), 'parameters', index],
            message: `The parameter \`${name}\` of this operation comes with \`send\`: leave it out here.`,
          },
        ]
      : [];
  });
}
