import { NodeFailure } from '@weft/engine';
import type { CodeStop } from '@weft/sandbox';
import { SEAL_HELP } from '../shared/seal-help';

/** The name of the program for its user. */
type Subject = 'code' | 'query';

/** Why it was stopped or never started, and what to do. */
const STOPS: Readonly<Record<CodeStop, (subject: Subject) => readonly [message: string, description: string]>> = {
  time: (it) => [`The ${it} exceeded its time limit`, 'Process less at once. To wait, use a Wait node.'],
  memory: (it) => [
    `The ${it} exceeded its memory limit`,
    'Process fewer items at once, for example in batches with Loop Over Items.',
  ],
  result: (it) => [`The ${it} returns too much data`, 'Return fewer items or fields.'],
  input: (it) => [`The items are too large for ${it}`, 'Reduce the items or fields in a node before this one.'],
  never: (it) => [`The ${it} waits for something that never happens`, 'Look for a promise that never resolves.'],
  engine: (it) => [
    `The ${it} crashed its engine`,
    'Look for the part with the highest memory use or the deepest nesting.',
  ],
  crash: (it) => [
    `The process that ran the ${it} ended unexpectedly`,
    'Run it again. If it happens again, look for the part with the highest memory use.',
  ],
  busy: (it) => [`No sandbox was free to run the ${it}`, 'Run it again later, or raise RUNNER_SANDBOXES.'],
  start: (it) => [`No sandbox could be started to run the ${it}`, 'Check the log of the runner.'],
  unsealed: (it) => [`${it === 'code' ? 'Code' : 'A query'} cannot run: this runner cannot seal processes`, SEAL_HELP],
  absent: () => ['Python cannot run on this runner', 'Its optional package `pyodide` is not installed.'],
  closed: () => ['The runner is stopping', 'The node runs again on another runner.'],
  aborted: () => ['The run was stopped', ''],
};

/** The failure of a node whose code or query was stopped. */
export function stopFailure(reason: CodeStop, subject: Subject): NodeFailure {
  const [message, description] = STOPS[reason](subject);
  return new NodeFailure(message, { description });
}
