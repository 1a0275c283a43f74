import { readToChild } from '../src/child/messages';
import { readToIsolated } from '../src/isolation/messages';

/**
 * Stands in for a process that executes isolated runs. The run `endless` blocks its thread, `blocked` does so under a
 * watchdog, `deadly` exits, `done` stops the process, a `long` one never ends and shares the process at once, any
 * other one ends at once. `second` responds only if the process had a run before, `beside N` only if N runs are active
 * in it, and `followed X` only if it knows that `X` is followed. A run whose id begins with zeros never ends and does
 * not share the process.
 */
let runs = 0;
let running = 0;
let followed: readonly string[] = [];
const send = (message: object): void => void process.send?.(message, undefined, undefined, () => undefined);

/** Loads what only it needs: the other runs need a process that starts quickly. */
const blockUnderWatchdog = async (executionId: string): Promise<void> => {
  const { WATCHDOG_DESCRIPTOR } = await import('../src/child/child-process.js');
  const { startWatchdog } = await import('../src/watchdog/watchdog.js');
  const { openHold } = startWatchdog({ kind: 'kill', descriptor: WATCHDOG_DESCRIPTOR });
  const hold = openHold({ executionId, workflowId: 'w', versionId: 'v', ownerKey: 'owner o' });
  hold.node('Blocks');
  hold.within(() => {
    for (;;);
  });
};

const isAnswered = (executionId: string): boolean => {
  if (executionId === 'second') return runs === 2;
  if (executionId.startsWith('followed ')) return followed.includes(executionId.slice('followed '.length));
  return !executionId.startsWith('beside') || executionId === `beside ${running}`;
};

process.on('message', (value) => {
  const common = readToChild(value);
  if (common?.kind === 'ping') send({ kind: 'alive' });
  if (common?.kind === 'follow') followed = [...followed, ...common.executionIds];
  const message = readToIsolated(value);
  if (message === undefined) return;
  const { executionId } = message;
  if (executionId === 'deadly') process.exit(1);
  runs += 1;
  const answer = { kind: 'taken', executionId, isAnswered: isAnswered(executionId) };
  if (executionId === 'long') running += 1;
  send({ kind: 'running', count: running });
  if (executionId === 'done') return void process.send?.(answer, undefined, undefined, () => process.exit(0));
  send(answer);
  if (executionId === 'blocked') return void blockUnderWatchdog(executionId);
  if (executionId === 'endless') for (;;);
  if (executionId.startsWith('0000')) return;
  send({ kind: 'free' });
});
process.once('disconnect', () => process.exit(0));
send({ kind: 'free' });
