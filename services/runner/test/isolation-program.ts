import { readToChild } from '../src/child/messages';
import { readToIsolated } from '../src/isolation/messages';

/*
 * Stands in for a process that executes runs alone. The run `endless` never leaves its thread, `deadly` ends the
 * process, a `long` one never ends and may have company at once, any other one ends at once. Of those `second` counts
 * as answered in the process that had a run before it, and `beside N` where so many run. A run whose id begins with
 * zeros never ends and has no company.
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
