import {
  decideCredential,
  type CredentialDecision,
  type CredentialFacts,
  type CredentialWrite,
  type ListedCredential,
  type SecretFact,
} from './decide-credential';
import type { ObjectEvent, Outcome } from './facts';
import type { CredentialStatus, Metadata, WeftCredential } from './objects';
import { takeSteps, type Step } from './take-steps';

/** Calls for credentials. Those to Weft throw `Failed`. */
export interface CredentialPorts {
  readonly readSecret: (object: WeftCredential) => Promise<SecretFact>;
  /** Credentials with the name and type of the object, or with the id in its status. */
  readonly list: (object: WeftCredential) => Promise<readonly ListedCredential[]>;
  /** Reads the Secret and sends its values. @returns the id, and the version of the Secret */
  readonly write: (
    object: WeftCredential,
    write: CredentialWrite,
  ) => Promise<{ readonly id: string; readonly version: string }>;
  readonly setFinalizer: (metadata: Metadata, isSet: boolean) => Promise<Metadata | undefined>;
  readonly writeStatus: (metadata: Metadata, status: CredentialStatus) => Promise<void>;
  readonly recordEvent: (metadata: Metadata, event: ObjectEvent) => void;
}

const MAX_STEPS = 10;
const GONE: Outcome<CredentialStatus> = { result: 'deleted', again: { when: 'resync' }, status: undefined };
const LATER: Outcome<CredentialStatus> = { result: 'failed', again: { when: 'backoff' }, status: undefined };

type CredentialStep = Step<CredentialFacts, CredentialStatus>;

const setFinalizer = async (
  facts: CredentialFacts,
  ports: CredentialPorts,
  isSet: boolean,
): Promise<CredentialStep> => {
  const metadata = await ports.setFinalizer(facts.object.metadata, isSet);
  if (metadata === undefined || !isSet) return { outcome: isSet ? LATER : GONE };
  return { facts: { ...facts, object: { ...facts.object, metadata } } };
};

const takeStep = async (
  facts: CredentialFacts,
  decision: CredentialDecision,
  ports: CredentialPorts,
): Promise<CredentialStep> => {
  const { object } = facts;
  switch (decision.next) {
    case 'read-secret':
      return { facts: { ...facts, secret: await ports.readSecret(object) } };
    case 'list':
      return { facts: { ...facts, listed: await ports.list(object) } };
    case 'add-finalizer':
      return setFinalizer(facts, ports, true);
    case 'remove-finalizer':
      if (decision.event !== undefined) ports.recordEvent(object.metadata, decision.event);
      return setFinalizer(facts, ports, false);
    case 'write': {
      const written = await ports.write(object, decision.write);
      return { facts: { ...facts, written: { action: decision.write.action, ...written } } };
    }
    case 'finish':
      return { outcome: decision.outcome };
  }
};

/** Makes a credential in Weft equal to an object and its Secret. @throws Error if the API server fails */
export const reconcileCredential = async (
  ports: CredentialPorts,
  { startedAt, now }: { readonly startedAt: number; readonly now: () => number },
  object: WeftCredential,
): Promise<Outcome<CredentialStatus>> => {
  const first: CredentialFacts = { object, startedAt, now: now() };
  return takeSteps(object.metadata, first, {
    most: MAX_STEPS,
    now,
    take: (facts) => takeStep(facts, decideCredential(facts), ports),
    afterFailure: (facts, failure) => ({ ...facts, failure }),
    writeStatus: ports.writeStatus,
    recordEvent: ports.recordEvent,
  });
};
