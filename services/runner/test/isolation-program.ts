import { readToChild } from '../src/child/messages';
import { readToIsolated } from '../src/isolation/messages';

/**
 * Stands in for a process that executes isolated runs. The run `endless` blocks its thread, `deadly` exits, a `long`
 * one never ends and shares the process at once, any other one ends at once. `second` has a response only in a process
 * that had a run before, and `beside N` only where N runs are active. A run whose id begins with zeros never ends and
 * does not share the process.
 */
let runs = 0;
let running = 0;
const send = (message: object): void => void process.send?.(message, undefined, undefined, () => undefined);

const isAnswered = (executionId: string): boolean => {
  if (executionId === 'second') return runs === 2;
  return !executionId.startsWith('beside') || executionId === `beside ${running}`;
};

process.on('message', (value) => {
  if (readToChild(value)?.kind === 'ping') send({ kind: 'alive' });
  const message = readToIsolated(value);
  if (message === undefined) return;
  const { executionId } = message;
  if (executionId === 'deadly') process.exit(1);
  runs += 1;
  const answer = { kind: 'taken', executionId, isAnswered: isAnswered(executionId) };
  if (executionId === 'long') running += 1;
  send({ kind: 'running', count: running });
  send(answer);
  if (executionId === 'endless') for (;;);
  if (executionId.startsWith('0000')) return;
  send({ kind: 'free' });
});
process.once('disconnect', () => process.exit(0));
send({ kind: 'free' });
