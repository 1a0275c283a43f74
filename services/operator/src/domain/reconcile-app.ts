import {
  decideApp,
  type AppDecision,
  type AppFacts,
  type AppSourceFact,
  type AppWrite,
  type ListedApp,
} from './decide-app';
import type { ObjectEvent, Outcome } from './facts';
import type { AppStatus, Metadata, WeftApp } from './objects';
import type { ChangedSource } from './ports';
import { takeSteps, type Step } from './take-steps';

/** Calls for apps. Those to Weft throw `Failed`. */
export interface AppPorts {
  readonly readSource: (object: WeftApp) => Promise<AppSourceFact | ChangedSource>;
  /** All apps of the instance. */
  readonly list: (metadata: Metadata) => Promise<readonly ListedApp[]>;
  /** @returns the apps as they are then */
  readonly write: (metadata: Metadata, write: AppWrite) => Promise<readonly ListedApp[]>;
  readonly setFinalizer: (metadata: Metadata, isSet: boolean) => Promise<Metadata | undefined>;
  readonly writeStatus: (metadata: Metadata, status: AppStatus) => Promise<void>;
  readonly recordEvent: (metadata: Metadata, event: ObjectEvent) => void;
}

const MAX_STEPS = 10;
const GONE: Outcome<AppStatus> = { result: 'deleted', again: { when: 'resync' }, status: undefined };
const LATER: Outcome<AppStatus> = { result: 'failed', again: { when: 'backoff' }, status: undefined };

type AppStep = Step<AppFacts, AppStatus>;

const setFinalizer = async (facts: AppFacts, ports: AppPorts, isSet: boolean): Promise<AppStep> => {
  const metadata = await ports.setFinalizer(facts.object.metadata, isSet);
  if (metadata === undefined || !isSet) return { outcome: isSet ? LATER : GONE };
  return { facts: { ...facts, object: { ...facts.object, metadata } } };
};

const takeStep = async (facts: AppFacts, decision: AppDecision, ports: AppPorts): Promise<AppStep> => {
  const { object } = facts;
  switch (decision.next) {
    case 'read-source': {
      const source = await ports.readSource(object);
      return source.state === 'changed' ? { outcome: LATER } : { facts: { ...facts, source } };
    }
    case 'list':
      return { facts: { ...facts, listed: await ports.list(object.metadata) } };
    case 'add-finalizer':
      return setFinalizer(facts, ports, true);
    case 'remove-finalizer':
      if (decision.event !== undefined) ports.recordEvent(object.metadata, decision.event);
      return setFinalizer(facts, ports, false);
    case 'claim':
      await ports.writeStatus(object.metadata, decision.status);
      return { facts: { ...facts, object: { ...object, status: decision.status } } };
    case 'write': {
      const { write, reverts } = decision;
      const listed = await ports.write(object.metadata, write);
      return { facts: { ...facts, listed, written: { action: write.action, hasReverted: reverts } } };
    }
    case 'finish':
      return { outcome: decision.outcome };
  }
};

/** Makes an app in Weft equal to an object. @throws Error if the API server fails */
export const reconcileApp = async (
  ports: AppPorts,
  { startedAt, now }: { readonly startedAt: number; readonly now: () => number },
  object: WeftApp,
): Promise<Outcome<AppStatus>> => {
  const first: AppFacts = { object, startedAt, now: now() };
  return takeSteps(object.metadata, first, {
    most: MAX_STEPS,
    now,
    take: (facts) => takeStep(facts, decideApp(facts), ports),
    afterFailure: (facts, failure) => ({ ...facts, failure }),
    writeStatus: ports.writeStatus,
    recordEvent: ports.recordEvent,
  });
};
