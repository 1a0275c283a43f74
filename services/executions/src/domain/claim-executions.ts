import { crashDelayMs } from './back-off';
import { END_REASONS } from './errors';
import { MAX_CLAIM_BYTES } from './limits';
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

/** Why a claim that was won is not given out. `too-much`: the answer has no room for it. */
type Obstacle = 'missing' | 'unavailable' | 'too-much';

const load = async (getVersion: GetVersion, versionId: string): Promise<Loaded> => {
  try {
    return (await getVersion(versionId))?.version ?? 'missing';
  } catch {
    // The neighbour is not there: the run goes back into the queue and is tried again.
    return 'unavailable';
  }
};

const release = async ({ _id, fence, checkpoint, versionId }: ExecutionRecord, why: Obstacle, ports: ClaimPorts): Promise<void> => {
  const now = ports.clock();
  if (why !== 'missing') {
    const delayMs = why === 'too-much' ? 0 : crashDelayMs(1, ports.leaseMs);
    await ports.apply(_id, putBackWrite(fence, new Date(now + delayMs)));
    return;
  }
  const failure = { reason: END_REASONS.versionMissing, message: `Version ${versionId} of the workflow does not exist any more.`, node: '', errorJson: '' };
  await ports.apply(_id, reportWrite({ fence, checkpoint, failure }, {}, new Date(now), ports.retentionMs));
};

const bytesOf = ({ input, engineState, resume }: ExecutionRecord): number => (input?.length ?? 0) + (engineState?.length ?? 0) + (resume?.length ?? 0);

/** Sorts what was won into what goes into one answer and what does not. */
const partition = (held: readonly ExecutionRecord[], loaded: ReadonlyMap<string, Loaded>) => {
  const executions: ExecutionRecord[] = [];
  const versions = new Map<string, WorkflowVersion>();
  const released: { readonly record: ExecutionRecord; readonly why: Obstacle }[] = [];
  let bytes = 0;
  for (const record of held) {
    const version = loaded.get(record.versionId);
    if (version === 'missing' || version === 'unavailable') {
      released.push({ record, why: version });
      continue;
    }
    const isNew = version !== undefined && !versions.has(version.versionId);
    const added = bytesOf(record) + (isNew ? version.definition.length : 0);
    if (executions.length > 0 && bytes + added > MAX_CLAIM_BYTES) {
      released.push({ record, why: 'too-much' });
      continue;
    }
    bytes += added;
    executions.push(record);
    if (isNew) versions.set(version.versionId, version);
  }
  return { executions, versions: [...versions.values()], released };
};

/** Claims in one update, then sees that the runner gets every definition it lacks; what it cannot get is put back. */
export const createClaim =
  (ports: ClaimPorts): Claim =>
  async ({ executionIds, runnerId, claimId, knownVersionIds }) => {
    const held = await ports.claim(executionIds, claimId, claimWrite(claimId, runnerId, new Date(ports.clock()), ports.leaseMs));
    const known = new Set(knownVersionIds);
    const lacking = [...new Set(held.map(({ versionId }) => versionId))].filter((id) => !known.has(id));
    const loaded = new Map(await Promise.all(lacking.map(async (id) => [id, await load(ports.getVersion, id)] as const)));
    const { executions, versions, released } = partition(held, loaded);
    await Promise.all(released.map(({ record, why }) => release(record, why, ports)));
    const won = new Set(executions.map(({ _id }) => _id));
    return { executions, versions, refusedIds: executionIds.filter((id) => !won.has(id)) };
  };
