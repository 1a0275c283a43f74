import { crashDelayMs } from './back-off';
import { END_REASONS } from './errors';
import type { ExecutionRecord } from './execution';
import type { ApplyWrite, ClaimExecutions, Clock } from './ports';
import { claimWrite, putBackWrite, reportWrite } from './run-writes';
import type { GetVersion } from './version-cache';
import type { WorkflowVersion } from './workflow-version';

/** A runner's wish for work. */
export interface ClaimRequest {
  readonly executionIds: readonly string[];
  readonly runnerId: string;
  readonly claimId: string;
  readonly knownVersionIds: readonly string[];
}

/** What the runner got. */
export interface Claimed {
  readonly executions: readonly ExecutionRecord[];
  /** Definitions the runner did not name as known, each once. */
  readonly versions: readonly WorkflowVersion[];
  readonly refusedIds: readonly string[];
}

/** Claims queued executions for a runner. @throws Unavailable */
export type Claim = (request: ClaimRequest) => Promise<Claimed>;

/** What claiming needs. */
export interface ClaimPorts {
  readonly claim: ClaimExecutions;
  readonly apply: ApplyWrite;
  readonly getVersion: GetVersion;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly retentionMs: number;
}

type Loaded = WorkflowVersion | 'missing' | 'unavailable';

const load = async (getVersion: GetVersion, versionId: string): Promise<Loaded> => {
  try {
    return (await getVersion(versionId))?.version ?? 'missing';
  } catch {
    // The neighbour is not there: the run goes back into the queue and is tried again.
    return 'unavailable';
  }
};

const release = async ({ _id, fence, checkpoint, versionId }: ExecutionRecord, why: 'missing' | 'unavailable', ports: ClaimPorts): Promise<void> => {
  const now = ports.clock();
  if (why === 'unavailable') {
    await ports.apply(_id, putBackWrite(fence, new Date(now + crashDelayMs(1, ports.leaseMs))));
    return;
  }
  const failure = { reason: END_REASONS.versionMissing, message: `Version ${versionId} of the workflow does not exist any more.`, node: '', errorJson: '' };
  await ports.apply(_id, reportWrite({ fence, checkpoint, failure }, {}, new Date(now), ports.retentionMs));
};

/** Claims in one update, then sees that the runner gets every definition it lacks; what it cannot get is put back. */
export const createClaim =
  (ports: ClaimPorts): Claim =>
  async ({ executionIds, runnerId, claimId, knownVersionIds }) => {
    const held = await ports.claim(executionIds, claimId, claimWrite(claimId, runnerId, new Date(ports.clock()), ports.leaseMs));
    const known = new Set(knownVersionIds);
    const lacking = [...new Set(held.map(({ versionId }) => versionId))].filter((id) => !known.has(id));
    const loaded = new Map(await Promise.all(lacking.map(async (id) => [id, await load(ports.getVersion, id)] as const)));
    const executions: ExecutionRecord[] = [];
    for (const record of held) {
      const version = loaded.get(record.versionId);
      if (version === 'missing' || version === 'unavailable') await release(record, version, ports);
      else executions.push(record);
    }
    const won = new Set(executions.map(({ _id }) => _id));
    const versions = [...loaded.values()].flatMap((version) => (typeof version === 'string' ? [] : [version]));
    return { executions, versions, refusedIds: executionIds.filter((id) => !won.has(id)) };
  };
