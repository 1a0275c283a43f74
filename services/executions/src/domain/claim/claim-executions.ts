import { TimedOut } from '@weft/service-kit/errors';
import { retryClaimMs } from '../state/back-off';
import { END_REASONS } from '../state/errors';
import { inlineLeaseMs, MAX_CLAIM_BYTES } from '../state/limits';
import type { ExecutionRecord } from '../state/execution';
import type { ApplyWrite, ClaimExecutions, Clock, FindHeldBack, HeldBack, Publish } from '../state/ports';
import { claimWrite, unclaimWrite, renewClaimWrite, reportWrite, retentionOf } from '../state/run-writes';
import type { GetVersion } from '../state/version-cache';
import type { WorkflowVersion } from '../state/workflow-version';

/** Request of a runner that claims work. */
export interface ClaimRequest {
  readonly executionIds: readonly string[];
  readonly runnerId: string;
  readonly claimId: string;
  /** Number of earlier attempts of the claim. */
  readonly attempt: number;
  /** The runner executes nothing else meanwhile. */
  readonly isolated: boolean;
  readonly knownVersionIds: readonly string[];
  /** Versions of the engine state that the runner can resume. */
  readonly engineStateVersions: readonly number[];
  /** True if no caller waits for the response any more. */
  readonly isGone: () => boolean;
}

/** Outcome of a claim. */
export interface Claimed {
  readonly executions: readonly ExecutionRecord[];
  /** Definitions that the runner did not list as known, each once. */
  readonly versions: readonly WorkflowVersion[];
  readonly refusedIds: readonly string[];
  /** Refused ids that must be claimed in isolation. */
  readonly isolatedIds: readonly string[];
  /** Refused ids that need a runner that knows the version of their state. */
  readonly unreadableIds: readonly string[];
}

/**
 * Claims queued executions for a runner.
 * @throws Unavailable, TimedOut if the runner has disconnected: then nothing is claimed
 */
export type Claim = (request: ClaimRequest) => Promise<Claimed>;

/** Ports of claiming. */
export interface ClaimPorts {
  readonly claim: ClaimExecutions;
  readonly findHeldBack: FindHeldBack;
  readonly publish: Publish;
  readonly apply: ApplyWrite;
  readonly getVersion: GetVersion;
  readonly clock: Clock;
  readonly leaseMs: number;
  readonly retentionMs: number;
}

type Loaded = WorkflowVersion | 'missing' | 'unavailable';

/**
 * Why a claimed execution is not returned. `too-much`: the response has no room for it. `gone`: no caller waits for the
 * response.
 */
type ReleaseReason = 'missing' | 'unavailable' | 'too-much' | 'gone';

const load = async (getVersion: GetVersion, versionId: string): Promise<Loaded> => {
  try {
    return (await getVersion(versionId))?.version ?? 'missing';
  } catch {
    // The peer is unavailable: the run returns to the queue and is tried again.
    return 'unavailable';
  }
};

const endAsMissing = async (record: ExecutionRecord, { apply, clock, retentionMs }: ClaimPorts): Promise<void> => {
  const { _id, fence, checkpoint, versionId } = record;
  const error = {
    reason: END_REASONS.versionMissing,
    message: `Version ${versionId} of the workflow no longer exists.`,
    node: '',
    errorJson: '',
  };
  await apply(
    _id,
    reportWrite({ fence, checkpoint, error }, {}, new Date(clock()), {
      ms: retentionOf(record, retentionMs),
      isDefault: false,
    }),
  );
};

const release = async (
  record: ExecutionRecord,
  why: ReleaseReason,
  attempt: number,
  ports: ClaimPorts,
): Promise<void> => {
  if (why === 'missing') return endAsMissing(record, ports);
  const { _id, fence, generation, runsAlone } = record;
  const delayMs = why === 'unavailable' ? retryClaimMs(ports.leaseMs) : 0;
  const { outcome } = await ports.apply(_id, unclaimWrite(fence, attempt, new Date(ports.clock() + delayMs)));
  // Its message may have been the only one, and the claiming runner has disconnected, so nothing redelivers it.
  if (outcome === 'applied' && why === 'gone')
    ports.publish(_id, `${generation + 1}`, { isIsolated: runsAlone === true });
};

const bytesOf = ({ input, engineState, resume }: ExecutionRecord): number =>
  (input?.length ?? 0) + (engineState?.length ?? 0) + (resume?.length ?? 0);

/** Separates claimed executions that fit into one response from the others. */
const partition = (held: readonly ExecutionRecord[], loaded: ReadonlyMap<string, Loaded>) => {
  const executions: ExecutionRecord[] = [];
  const versions = new Map<string, WorkflowVersion>();
  const released: { readonly record: ExecutionRecord; readonly why: ReleaseReason }[] = [];
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

/** The claimed executions to return; the rest is released or ended. @throws TimedOut */
const keepClaimed = async (
  held: readonly ExecutionRecord[],
  { attempt, knownVersionIds, isGone }: ClaimRequest,
  ports: ClaimPorts,
) => {
  const known = new Set(knownVersionIds);
  const lacking = [...new Set(held.map(({ versionId }) => versionId))].filter((id) => !known.has(id));
  const loaded = new Map(await Promise.all(lacking.map(async (id) => [id, await load(ports.getVersion, id)] as const)));
  const { executions, versions, released } = partition(held, loaded);
  // The deadline of a caller that is gone has ended the load of a definition, too: nothing is known about the peer.
  const reasonOf = (why: ReleaseReason): ReleaseReason => (why === 'unavailable' && isGone() ? 'gone' : why);
  await Promise.all(released.map(({ record, why }) => release(record, reasonOf(why), attempt, ports)));
  if (!isGone()) return { executions, versions };
  await Promise.all(executions.map((record) => release(record, 'gone', attempt, ports)));
  throw new TimedOut();
};

/**
 * Claims in one update, then ensures that the runner gets every definition it lacks; executions without one are
 * released. So are all if the runner has disconnected, unless it has repeated the claim and holds them by that.
 */
export const createClaim =
  (ports: ClaimPorts): Claim =>
  async (request) => {
    const now = new Date(ports.clock());
    const { executionIds, claimId, attempt } = request;
    const held = await ports.claim(executionIds, {
      claimId,
      attempt,
      take: claimWrite(request, now, ports.leaseMs),
      takeInline: claimWrite(request, now, inlineLeaseMs(ports.leaseMs), true),
      renew: renewClaimWrite(request, now, ports.leaseMs),
    });
    const { executions, versions } = await keepClaimed(held, request, ports);
    const won = new Set(executions.map(({ _id }) => _id));
    const refusedIds = executionIds.filter((id) => !won.has(id));
    const heldBack = refusedIds.length === 0 ? [] : await ports.findHeldBack(refusedIds, request.engineStateVersions);
    const idsFor = (why: HeldBack['why']): string[] => heldBack.flatMap((one) => (one.why === why ? [one.id] : []));
    const isolatedIds = request.isolated ? [] : idsFor('isolated');
    return { executions, versions, refusedIds, isolatedIds, unreadableIds: idsFor('unreadable') };
  };
