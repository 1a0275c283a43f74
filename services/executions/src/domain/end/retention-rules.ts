import type { KnownVersion } from '../state/version-cache';

/** Number of executions of a workflow to retain, from its last started version. */
export interface RetentionRule {
  readonly workflowId: string;
  readonly count: number;
  /** Time at which its executions are counted next. */
  readonly nextAt: Date;
}

/**
 * Store of these rules: one for each workflow with a limit. Every method throws Unavailable if the store cannot be
 * reached.
 */
export interface RetentionRules {
  /** Stores the limit of a workflow; undefined: none. */
  readonly note: (workflowId: string, count: number | undefined) => Promise<void>;
  readonly findDue: (now: Date, most: number) => Promise<readonly RetentionRule[]>;
  /** False if another replica took it meanwhile. */
  readonly take: (rule: RetentionRule, nextAt: Date) => Promise<boolean>;
}

/**
 * Stores the rule of a version when this process first loads it, so that runs have no extra cost. Never fails: a
 * workflow whose rule could not be stored is limited by age until the next process loads it.
 */
export const noteRetention =
  (rules: Pick<RetentionRules, 'note'>, defaultCount: number, onError: (error: unknown) => void) =>
  ({ version, facts }: KnownVersion): void => {
    const count = facts.retentionCount ?? defaultCount;
    rules.note(version.workflowId, count === 0 ? undefined : count).catch(onError);
  };

/**
 * Ids of a workflow's ended executions beyond its `kept` newest ones, at most `most`, the oldest first.
 * @throws Unavailable
 */
export type FindBeyond = (workflowId: string, kept: number, most: number) => Promise<readonly string[]>;
