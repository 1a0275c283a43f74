import { expireRecordWrite } from '../domain/state/free-writes';
import type { ApplyWrite, Clock } from '../domain/state/ports';
import type { FindBeyond, RetentionRule, RetentionRules } from '../domain/end/retention-rules';

/** Ports of enforcing counts. */
export interface RetentionCountPorts {
  readonly rules: RetentionRules;
  readonly findBeyond: FindBeyond;
  readonly apply: ApplyWrite;
  readonly clock: Clock;
}

const RULES_AT_ONCE = 20;

const EXECUTIONS_AT_ONCE = 500;

/** Interval at which the executions of one workflow are counted. */
const EVERY_MS = 60_000;

/** Expiry date of executions beyond a limit: they are purged before anything else, and not found again until then. */
const LONG_AGO = new Date(0);

const keepOne = async (
  rule: RetentionRule,
  { rules, findBeyond, apply, clock }: RetentionCountPorts,
): Promise<boolean> => {
  // Only the replica that takes the rule counts.
  if (!(await rules.take(rule, new Date(clock() + EVERY_MS)))) return false;
  for (;;) {
    const beyond = await findBeyond(rule.workflowId, rule.count, EXECUTIONS_AT_ONCE);
    const outcomes = await Promise.all(beyond.map((id) => apply(id, expireRecordWrite(LONG_AGO))));
    if (beyond.length < EXECUTIONS_AT_ONCE || !outcomes.some(({ outcome }) => outcome === 'applied')) return true;
  }
};

/**
 * Ensures that workflows retain no more executions than their limits: ended executions older than the newest ones of
 * their workflow are purged next. Executions that have not ended count, and stay.
 * @returns whether there may be more.
 */
export const createEnforceRetentionCounts = (ports: RetentionCountPorts) => async (): Promise<boolean> => {
  const due = await ports.rules.findDue(new Date(ports.clock()), RULES_AT_ONCE);
  const taken = await Promise.all(due.map((rule) => keepOne(rule, ports)));
  return due.length === RULES_AT_ONCE && taken.includes(true);
};
