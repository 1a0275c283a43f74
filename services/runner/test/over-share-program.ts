import { readToChild } from '../src/child/messages';
import { readToOverShare } from '../src/over-share/messages';

/**
 * Stands in for the process for runs with large data. The workflow id of a run selects its behaviour:
 * `refused` is rejected, `silent` has no response, `large` reports large data, `deadly` exits, any other run is
 * accepted and ends at once. Followed runs have progress immediately.
 */
const send = (message: object): void => void process.send?.(message, undefined, undefined, () => undefined);

process.on('message', (value) => {
  const general = readToChild(value);
  if (general?.kind === 'ping') send({ kind: 'alive' });
  if (general?.kind === 'follow') send({ kind: 'progressed', executionIds: general.executionIds });
  const message = readToOverShare(value);
  if (message === undefined) return;
  const { executionId, fence, workflowId, input, startedAt } = message.handedOver.claimed;
  if (workflowId === 'silent') return;
  if (workflowId === 'deadly') process.exit(1);
  const isIntact = Buffer.from(input).toString() === '[1]' && startedAt.getTime() === 1_000;
  if (workflowId === 'refused' || !isIntact) return send({ kind: 'refused', executionId, fence });
  send({ kind: 'taken', executionId, fence });
  if (workflowId === 'large') send({ kind: 'large', ownerKey: 'owner of it' });
  send({ kind: 'ended' });
});
process.once('disconnect', () => process.exit(0));
