import { decideWorkflow } from './decide-workflow';
import type { Failure } from './failures';
import type { Outcome, Synced, WorkflowDecision, WorkflowFacts } from './facts';
import type { WeftWorkflow, WorkflowStatus } from './objects';
import type { ObjectPort, WeftPort } from './ports';
import { takeSteps, type Step } from './take-steps';

/** Settings and clock of all reconciliations. */
export interface ReconcileDeps {
  readonly cluster: string;
  readonly publicUrl: string;
  readonly startedAt: number;
  readonly now: () => number;
  /** True while an object of an app is about to be applied, which a definition may need. */
  readonly hasPendingApps?: () => boolean;
}

export interface Ports {
  readonly weft: WeftPort;
  readonly objects: ObjectPort;
}

/** More than any reconciliation needs: each step adds a fact, and a workflow needs at most three writes. */
const MAX_STEPS = 20;

const GONE: Outcome = { result: 'deleted', again: { when: 'resync' }, status: undefined };
const LATER: Outcome = { result: 'failed', again: { when: 'backoff' }, status: undefined };

type WorkflowStep = Step<WorkflowFacts, WorkflowStatus>;

const afterWrite = (
  facts: WorkflowFacts,
  { write, reverts }: Extract<WorkflowDecision, { next: 'write' }>,
  workflow: Awaited<ReturnType<WeftPort['write']>>,
): WorkflowFacts => ({
  ...facts,
  found: { workflow },
  written: [...facts.written, write.action],
  hasReverted: facts.hasReverted || reverts,
});

const setFinalizer = async (facts: WorkflowFacts, { objects }: Ports, isSet: boolean): Promise<WorkflowStep> => {
  const metadata = await objects.setFinalizer(facts.object.metadata, isSet);
  if (metadata === undefined) return { outcome: isSet ? LATER : GONE };
  return isSet ? { facts: { ...facts, object: { ...facts.object, metadata } } } : { outcome: GONE };
};

const takeStep = async (facts: WorkflowFacts, decision: WorkflowDecision, ports: Ports): Promise<WorkflowStep> => {
  const { weft, objects } = ports;
  const { object, source, found, check } = facts;
  const { metadata } = object;
  switch (decision.next) {
    case 'find':
      return { facts: { ...facts, found: { workflow: await weft.find(metadata) } } };
    case 'search': {
      const workflow = await weft.search(metadata, decision.from);
      return { facts: { ...facts, found: { workflow }, hasSearched: true } };
    }
    case 'read-source': {
      const read = await objects.readSource(object);
      return read.state === 'changed' ? { outcome: LATER } : { facts: { ...facts, source: read } };
    }
    case 'check': {
      if (source?.state !== 'found') throw new Error('A check was decided without a definition.');
      return { facts: { ...facts, check: await weft.check(metadata, source.source, found?.workflow) } };
    }
    case 'add-finalizer':
      return setFinalizer(facts, ports, true);
    case 'remove-finalizer':
      if (decision.event !== undefined) objects.recordEvent(metadata, decision.event);
      return setFinalizer(facts, ports, false);
    case 'write':
      return { facts: afterWrite(facts, decision, await weft.write(metadata, decision.write, check?.hash ?? null)) };
    case 'finish':
      return { outcome: decision.outcome };
  }
};

/** Facts after a failure. An address that another workflow took after the check changes the plan. */
const afterFailure = (facts: WorkflowFacts, failure: Failure): WorkflowFacts =>
  failure.kind === 'path-taken' && facts.pathTaken === undefined
    ? { ...facts, pathTaken: failure.message }
    : { ...facts, failure };

/**
 * Makes Weft equal to an object, or cleans up after it, and writes its status if it differs.
 *
 * @param synced of the last reconciliation of the same object.
 * @throws Error if the API server fails.
 */
export const reconcileWorkflow = async (
  ports: Ports,
  { cluster, publicUrl, startedAt, now, hasPendingApps = () => false }: ReconcileDeps,
  object: WeftWorkflow,
  synced: Synced | undefined,
): Promise<Outcome> => {
  const { weft, objects } = ports;
  const { metadata } = object;
  // After the last poll, someone may have activated what has to be inactive in the end.
  if (metadata.deletionTimestamp !== undefined) weft.forget(metadata);
  const first: WorkflowFacts = {
    object,
    synced,
    cluster,
    publicUrl,
    startedAt,
    now: now(),
    written: [],
    hasReverted: false,
    hasPendingApps: hasPendingApps(),
  };
  return takeSteps(metadata, first, {
    most: MAX_STEPS,
    now,
    take: (facts) => takeStep(facts, decideWorkflow(facts), ports),
    afterFailure: (facts, failure) => {
      if (failure.kind === 'outdated' || failure.kind === 'not-found' || failure.kind === 'key-taken')
        weft.forget(metadata);
      return afterFailure(facts, failure);
    },
    writeStatus: objects.writeStatus,
    recordEvent: objects.recordEvent,
  });
};
