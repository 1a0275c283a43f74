import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import {
  EndState,
  RunnerServiceClient,
  RunnerServiceService,
  WriteOutcome,
  type ReportResponse,
} from '@weft/proto/runner';
import { createTokenSigner } from '@weft/service-kit/auth';
import type { Stack } from '@weft/local-stack';
import type { Violation } from '../checks/evidence';
import type { ExecutionRow, StoreReader } from './store';

/** A runner that comes back from the dead: it reports the end of runs under expired claims. */
export interface Zombie {
  /** Reports that were answered. */
  readonly reports: () => number;
  readonly violations: readonly Violation[];
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 400;
const DEADLINE_MS = 5_000;
const AT_ONCE = 4;

/** A run in progress, and its number of stored checkpoints, which a report must name. */
type Victim = Pick<ExecutionRow, '_id' | 'fence'> & { readonly checkpoint: number };

const signerOf = (dataDir: string): (() => string) => {
  const { serviceKeys }: { serviceKeys: { runner: { privateKey: string } } } = JSON.parse(
    readFileSync(join(dataDir, 'secrets.json'), 'utf8'),
  );
  const sign = createTokenSigner('runner', serviceKeys.runner.privateKey);
  return () => sign('executions', RunnerServiceService.report.path);
};

const entryOf = ({ _id, fence, checkpoint }: Victim) => ({
  executionId: _id,
  fence: fence - 1,
  checkpoint,
  endState: EndState.END_STATE_ERROR,
  nodeRuns: [],
  lastNode: '',
  failure: {
    reason: 'NODE_ERROR',
    message: 'A runner that had lost its claim reported this.',
    node: '',
    errorJson: '',
  },
});

/** Begins to report ends under the fence before the current one; none of them may be accepted. */
export const startZombie = (stack: Pick<Stack, 'dataDir' | 'grpcTargets'>, store: StoreReader): Zombie => {
  const client = new RunnerServiceClient(stack.grpcTargets.executions, credentials.createInsecure());
  const token = signerOf(stack.dataDir);
  const violations: Violation[] = [];
  let reports = 0;
  let isStopped = false;

  const report = (victims: readonly Victim[]): Promise<ReportResponse> => {
    const metadata = new Metadata();
    metadata.set('x-weft-service-token', token());
    return new Promise((resolve, reject) => {
      client.report(
        { entries: victims.map(entryOf) },
        metadata,
        { deadline: Date.now() + DEADLINE_MS },
        (error: ServiceError | null, response: ReportResponse) => (error === null ? resolve(response) : reject(error)),
      );
    });
  };
  const haunt = async (): Promise<void> => {
    const victims = (await store.running(AT_ONCE)).filter(({ fence }) => fence > 0);
    if (victims.length === 0) return;
    const { outcomes } = await report(victims);
    reports += victims.length;
    victims.forEach(({ _id, fence }, index) => {
      if (outcomes[index] !== WriteOutcome.WRITE_OUTCOME_APPLIED) return;
      violations.push({
        check: 'R3 only the holder of the current fence writes',
        executionId: _id,
        what: `a report under fence ${fence - 1} was taken, the claim had ${fence}`,
      });
    });
  };
  const loop = (async () => {
    while (!isStopped) {
      await sleep(EVERY_MS);
      // Services and store are unreachable at times; a refusal is as good as an answer.
      await haunt().catch(() => undefined);
    }
  })();
  return {
    reports: () => reports,
    violations,
    stop: async () => {
      isStopped = true;
      await loop;
      client.close();
    },
  };
};
