import { readDefinitionForRuns } from '@weft/node-catalogue';
import type { PreparedCache, PreparedWorkflow } from '@weft/engine';
import { WorkUnderWay } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import type { ClaimAnswer } from '../domain/claims/claim-until-answered';
import type { ClaimedExecution, WorkflowVersion } from '../domain/claims/claimed-execution';
import type { SaturatingOwners } from '../domain/claims/shares/saturating-owners';
import { createInlineStore } from '../domain/claims/held/inline-store';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import { handOver, releaseUnchanged, type RunElsewhere } from '../domain/end/hand-over';
import type { Held, HeldExecutions } from '../domain/claims/held/held-executions';
import { RunUnreadable } from '../domain/run/load-claimed';
import type { RunEnvironment } from '../domain/run/environment';
import { runExecution } from '../domain/run/run-execution';
import { endWithError } from '../domain/end/end-with-error';
import type { RunResult } from '../domain/end/run-result';
import { shareSlot, type Slots } from '../domain/claims/shares/slots';
import { withinRun } from '../observing/run-spans';
import { createStartChild, type SubWorkflowParts } from '../domain/run/sub-workflows';

/** Maximum number of versions listed as known in one claim. */
const KNOWN_VERSIONS = 100;
const decoder = new TextDecoder();

/** Workflows of versions by their ids. */
export type KnownVersions = ReadonlyMap<string, PreparedWorkflow>;

/** Claimed executions that run here. */
export interface ClaimedRuns {
  /** The versions that a claim need not return. */
  readonly knownVersions: () => KnownVersions;
  /** The workflow of a claimed execution, from the version sent with it or the known ones. */
  readonly workflowOf: (
    claimed: ClaimedExecution,
    sent: WorkflowVersion | undefined,
    known: KnownVersions,
  ) => PreparedWorkflow | RunUnreadable | undefined;
  /** Runs a held execution to its end. Never fails. */
  readonly run: (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow | RunUnreadable | undefined,
    claim: Held,
    leaseMs: number,
  ) => Promise<RunResult>;
  /**
   * Starts claimed executions.
   * @param onBegan called for each before it runs
   * @param replica the replica that holds executions not stored yet
   */
  readonly startAll: (
    answer: ClaimAnswer,
    known: KnownVersions,
    onBegan: (executionId: string) => void,
    replica?: ExecutionStore,
  ) => ReadonlyMap<string, Promise<RunResult>>;
  readonly running: () => readonly Promise<unknown>[];
}

/** Dependencies of runs. */
export interface ClaimedRunsParts {
  readonly store: ExecutionStore;
  readonly held: HeldExecutions;
  readonly slots: Slots;
  readonly versions: PreparedCache;
  readonly environment: RunEnvironment;
  readonly saturating: Pick<SaturatingOwners, 'began'>;
  /** The other process in which an execution must run; undefined: it runs here. */
  readonly elsewhere: (claimed: ClaimedExecution) => RunElsewhere | undefined;
  readonly logger: Logger;
}

/** Runs claimed executions in slots that were taken before. */
export const createClaimedRuns = ({
  store,
  held,
  slots,
  versions,
  environment,
  saturating,
  elsewhere,
  logger,
}: ClaimedRunsParts): ClaimedRuns => {
  const running = new WorkUnderWay();
  const prepare = ({ versionId, definition }: WorkflowVersion): PreparedWorkflow | RunUnreadable => {
    try {
      return (
        versions.get(versionId) ??
        versions.add(versionId, readDefinitionForRuns(decoder.decode(definition)), definition.length)
      );
    } catch (error) {
      return new RunUnreadable(`the definition of version ${versionId} cannot be read`, error);
    }
  };
  const knownVersions = (): KnownVersions => versions.latest(KNOWN_VERSIONS);
  const workflowOf: ClaimedRuns['workflowOf'] = ({ versionId }, sent, known) =>
    sent === undefined ? (versions.get(versionId) ?? known.get(versionId)) : prepare(sent);

  const run = (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow | RunUnreadable | undefined,
    claim: Held,
    leaseMs: number,
    of: RunEnvironment = environment,
  ): Promise<RunResult> => withinRun(claimed, () => runHere(claimed, workflow, claim, leaseMs, of));
  const runHere = async (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow | RunUnreadable | undefined,
    claim: Held,
    leaseMs: number,
    of: RunEnvironment,
  ): Promise<RunResult> => {
    try {
      if (workflow === undefined) return await releaseUnchanged(claimed, claim, of.store);
      if (workflow instanceof RunUnreadable)
        return await endWithError(claimed, { checkpoint: claimed.checkpoint, nodeRuns: [] }, claim, workflow, of.store);
      const runElsewhere = elsewhere(claimed);
      if (runElsewhere !== undefined)
        return await handOver(runElsewhere, { claimed, definition: workflow.definition, leaseMs }, claim, of);
      const runChild: SubWorkflowParts['runChild'] = (child, version, caller, sentAt) =>
        startChild(child, version, caller, leaseMs, sentAt);
      return await runExecution(claimed, workflow, claim, of, (reach) =>
        createStartChild(
          { store, knownVersionIds: () => [...knownVersions().keys()], runChild, clock: environment.clock },
          { claimed, held: claim, reach },
        ),
      );
    } catch (error) {
      logger.warn(
        { err: error, executionId: claimed.executionId },
        'a run could not be completed here; it will be claimed again when its lease expires',
      );
      return { kind: 'suspended' };
    } finally {
      held.release(claim);
    }
  };
  const startChild = (
    child: ClaimedExecution,
    version: WorkflowVersion | undefined,
    caller: Held,
    leaseMs: number,
    sentAt: number,
  ): Promise<RunResult> => {
    const workflow = version === undefined ? versions.get(child.versionId) : prepare(version);
    const claim = held.hold(child.executionId, child.fence, leaseMs, sentAt);
    return running.track(run(child, workflow, claim, leaseMs).finally(shareSlot(caller, claim, slots)));
  };

  const startAll: ClaimedRuns['startAll'] = ({ outcome, sentAt }, known, onBegan, replica = store) => {
    const { leaseMs, firstLeaseMs } = outcome;
    const sent = new Map(outcome.versions.map((version) => [version.versionId, prepare(version)]));
    const runs = new Map<string, Promise<RunResult>>();
    for (const claimed of outcome.claimed) {
      const inline =
        firstLeaseMs === undefined
          ? undefined
          : { firstLeaseMs, parts: createInlineStore(replica, store, claimed.isStored) };
      const first = inline && {
        ms: inline.firstLeaseMs,
        isOver: async () => (await inline.parts.store.persist(claimed)) === 'fenced',
      };
      const claim = held.hold(claimed.executionId, claimed.fence, leaseMs, sentAt, first);
      if (claimed.isStored === true) claim.mayHaveActed();
      const workflow = sent.get(claimed.versionId) ?? versions.get(claimed.versionId) ?? known.get(claimed.versionId);
      onBegan(claimed.executionId);
      runs.set(
        claimed.executionId,
        running.track(
          run(claimed, workflow, claim, leaseMs, { ...environment, ...inline?.parts }).finally(
            saturating.began(claimed.ownerId),
          ),
        ),
      );
    }
    return runs;
  };
  return {
    knownVersions,
    workflowOf,
    run: (claimed, workflow, claim, leaseMs) => running.track(run(claimed, workflow, claim, leaseMs)),
    startAll,
    running: () => [...running],
  };
};
