import { NEVER } from '../load/kind';
import type { Evidence, Violation } from './evidence';

/** The execution and node of a key `<execution>:<node>:<run>:<item>`. */
const [EXECUTION, NODE] = [0, 1] as const;

/** No node runs after the failure that ends a run. */
const checkNever = ({ sink }: Pick<Evidence, 'sink'>): Violation[] =>
  [...sink.calls.keys()]
    .map((key) => key.split(':'))
    .filter((parts) => parts[NODE] === NEVER)
    .map((parts) => ({
      check: 'no node runs after the failure that ends a run',
      executionId: parts[EXECUTION] ?? '',
      what: `${parts.join(':')} was called`,
    }));

/** Each failed run has one run of its error workflow, and no other run has any. */
const checkErrorWorkflows = ({ rows, kinds, sink }: Pick<Evidence, 'rows' | 'kinds' | 'sink'>): Violation[] =>
  rows.flatMap(({ _id, workflowId, state }) => {
    const kind = kinds.get(workflowId)?.kind;
    if (kind === undefined) return [];
    const reports = new Set([...(sink.failures.get(_id) ?? [])].map((key) => key.split(':')[EXECUTION]));
    const expected = kind.tellsFailure === true && state === 'error' ? 1 : 0;
    if (reports.size === expected) return [];
    return [
      {
        check: 'a failed run starts its error workflow once',
        executionId: _id,
        what: `${kind.name}: ${state}, reported by ${reports.size} runs: ${[...reports].join(', ')}`,
      },
    ];
  });

/** Required and forbidden consequences of the failure of a node. */
export const checkFailures = (evidence: Pick<Evidence, 'rows' | 'kinds' | 'sink'>): Violation[] => [
  ...checkNever(evidence),
  ...checkErrorWorkflows(evidence),
];
