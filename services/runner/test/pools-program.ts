import { runScript } from '@weft/sandbox/testing';
import { isObject } from '@weft/service-kit/json';
import { readToChild } from '../src/child/messages';
import { poolsOfRunner } from '../src/pools/pools-of-runner';

/**
 * Stands in for a process that executes runs for its runner: runs the code of a message for the owner in it, and
 * reports the result.
 */
const send = (message: object): void => void process.send?.(message, undefined, undefined, () => undefined);
const pools = poolsOfRunner();

process.on('message', (value) => {
  if (readToChild(value)?.kind === 'ping') send({ kind: 'alive' });
  if (!isObject(value)) return;
  const { id, owner, body } = value;
  if (typeof owner !== 'string' || typeof body !== 'string') return;
  const items = [{ json: { text: 'x'.repeat(typeof value['size'] === 'number' ? value['size'] : 0) } }];
  void runScript(pools.code.of(owner), body, { items }).then((result) => send({ id, ...result }));
});
process.once('disconnect', () => process.exit(0));
