import { WriteOutcome, type Refusals } from '@weft/proto/runner';
import { ServiceError } from '@weft/service-kit/errors';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { uuidv7 } from '@weft/service-kit/ids';
import { closeAfterEach, startProxy, testMongodbUri, until, type Proxy } from '@weft/service-kit/testing';
import { nodeRun, reportOf, start, startTestStack } from '../support/stack';

describe('when something fails', () => {
  const later = closeAfterEach();
  /** A connection to the store that can be cut. */
  const proxied = async (): Promise<Proxy> => {
    const { hostname, port } = new URL(testMongodbUri());
    return later(await startProxy(hostname, Number(port)), (proxy) => {
      proxy.restore();
      return proxy.close();
    });
  };

  it(
    'connections that break during calls only make these unavailable, entry by entry, and do not affect ' + 'any run',
    async () => {
      const proxy = await proxied();
      const fresh = later(await startTestStack(), (one) => one.stop());
      const cut = await fresh.startReplica({ MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}` });
      const workflow = fresh.workflows.add();
      const ids = await Promise.all(Array.from({ length: 20 }, () => start(cut, workflow)));
      await cut.runner.claim({ executionIds: ids, runnerId: 'r', claimId: uuidv7(), knownVersionIds: [] });
      const kinds: string[] = [];
      const noted = async (call: Promise<unknown>): Promise<void> => {
        await call.catch((error: unknown) => kinds.push(error instanceof ServiceError ? error.kind : String(error)));
      };
      const reports = { entries: ids.map((id) => reportOf(id, 1)) };
      const answers: Refusals[] = [];
      for (const [round, breakOff] of [proxy.cut, proxy.freeze].entries()) {
        const under = Array.from({ length: 30 }, () => noted(start(cut, workflow)));
        const step = ids.map((executionId) => ({
          executionId,
          fence: 1,
          checkpoint: round + 1,
          nodeRuns: [nodeRun('A', round)],
          engineState: Buffer.from('s'),
        }));
        under.push(
          noted(
            cut.runner.checkpoint({ entries: step }).then(({ refusals }) => {
              if (refusals !== undefined) answers.push(refusals);
            }),
          ),
        );
        under.push(
          noted(cut.runner.heartbeat({ runnerId: 'r', held: ids.map((executionId) => ({ executionId, fence: 1 })) })),
        );
        // In the middle of them: some are sent, some wait for a connection.
        await new Promise((resolve) => setImmediate(resolve));
        breakOff();
        await Promise.all(under);
        proxy.restore();
        await until('every run is stored', async () => {
          const { outcomes } = await cut.runner.checkpoint({ entries: step }).catch(() => ({ outcomes: [] }));
          return (
            outcomes.length > 0 &&
            outcomes.every(
              (outcome) =>
                outcome === WriteOutcome.WRITE_OUTCOME_APPLIED || outcome === WriteOutcome.WRITE_OUTCOME_DUPLICATE,
            )
          );
        });
      }
      expect(kinds.length).toBeGreaterThan(0);
      expect(kinds.filter((kind) => kind !== 'unavailable' && kind !== 'timeout')).toEqual([]);
      expect(
        answers
          .flatMap(({ byPosition }) => Object.values(byPosition).map((status) => fromRpcStatus(status).kind))
          .filter((kind) => kind !== 'unavailable'),
      ).toEqual([]);
      const { outcomes } = await cut.runner.report({
        entries: reports.entries.map((entry) => ({ ...entry, checkpoint: 2 })),
      });
      expect(outcomes).toEqual(ids.map(() => WriteOutcome.WRITE_OUTCOME_APPLIED));
      expect(
        await fresh.database
          .collection('executions')
          .countDocuments({ workflowId: workflow.workflowId, crashes: { $gt: 0 } }),
      ).toBe(0);
    },
  );
});
