import type { CheckResult, JsonObject, ListedWorkflow } from '@weft/apply';
import type { Source } from '../domain/facts';
import type { Connected, NamespaceSession } from './namespace-session';

/** A definition to check. */
export interface Candidate {
  readonly uid: string;
  readonly source: Source;
  readonly workflowId: string | undefined;
}

export interface CheckerDeps {
  readonly session: Pick<NamespaceSession, 'check'>;
  /** Objects of the namespace that wait for their first check, at most `limit`, with their definitions. */
  readonly others: (uid: string, limit: number, maxBytes: number) => Promise<readonly Candidate[]>;
  /** The definition without what belongs to the object or another instance. */
  readonly strip: (source: Source) => JsonObject;
}

const CHECKED_AT_ONCE = 100;
/** Below the 10 MB of a request. */
const CHECKED_BYTES = 9_000_000;
/** Two definitions of the largest object fit. */
const SELF_BYTES = 3_000_000;

interface Known {
  readonly candidate: Candidate;
  readonly result: CheckResult;
}

/**
 * Checks the definitions of a namespace. While many objects wait, one request checks up to a hundred of them: with a
 * request for each, a key with 100 requests a minute would take twice as long. A write decides itself what has changed
 * since the check.
 */
export const createChecker = ({ session, others, strip }: CheckerDeps) => {
  const known = new Map<string, Known>();
  let batch: Promise<void> = Promise.resolve();

  const take = ({ uid, source, workflowId }: Candidate): CheckResult | undefined => {
    const found = known.get(uid);
    known.delete(uid);
    const isSame = found?.candidate.source.version === source.version && found.candidate.workflowId === workflowId;
    return isSame ? found.result : undefined;
  };

  const checkAll = async ({ calls, projectId }: Connected, self: Candidate): Promise<CheckResult> => {
    const more = await others(self.uid, CHECKED_AT_ONCE - 1, CHECKED_BYTES - SELF_BYTES);
    const candidates = [self, ...more];
    const results = await calls.check(
      projectId,
      candidates.map(({ source, workflowId }) => ({
        ...strip(source),
        ...(workflowId === undefined ? {} : { id: workflowId }),
      })),
    );
    const [own, ...rest] = results;
    if (own === undefined) throw new Error('A check has no result.');
    known.clear();
    more.forEach((candidate, index) => {
      const result = rest[index];
      if (result !== undefined) known.set(candidate.uid, { candidate, result });
    });
    return own;
  };

  return async (uid: string, source: Source, workflow: ListedWorkflow | undefined): Promise<CheckResult> => {
    const self = { uid, source, workflowId: workflow?.id };
    // A batch in progress may contain this object.
    for (let seen: Promise<void> | undefined; seen !== batch;) {
      seen = batch;
      await seen;
    }
    const before = take(self);
    if (before !== undefined) return before;
    const result = session.check((given) => checkAll(given, self));
    batch = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  };
};

export type Checker = ReturnType<typeof createChecker>;
