import type { CheckResult, ListedWorkflow } from '@weft/apply';
import { conditionOf, conditionsOf, timeText, type Finding } from './conditions';
import type { EndFindings } from './end-findings';
import type { Outcome, WorkflowFacts } from './facts';
import type { WebhookStatus, WorkflowStatus } from './objects';

/** Result of a reconciliation, before it is a status. */
export interface Findings extends EndFindings {
  readonly workflow?: ListedWorkflow | undefined;
  readonly webhooks?: readonly WebhookStatus[];
}

/** Findings that a reconciliation that did not get far enough leaves as they were. */
export const formerFindings = ({ object: { status } }: WorkflowFacts, ...types: Finding['type'][]): Finding[] =>
  types.flatMap((type) => {
    const former = conditionOf(status?.conditions, type);
    return former === undefined ? [] : [former];
  });

/** Parts of the address before the path, by the pseudo methods of routes that are not below `/webhook/`. */
const ROOTS: ReadonlyMap<string, string> = new Map([
  ['FORM', 'form'],
  ['MCP', 'mcp'],
]);

/** Addresses of the routes that a definition registers. */
export const webhooksOf = (publicUrl: string, { routes }: CheckResult): readonly WebhookStatus[] =>
  routes.map(({ method, path }) => ({
    method,
    url: `${publicUrl}/${ROOTS.get(method) ?? 'webhook'}/${path.replace(/^\//, '')}`,
  }));

const isSame = (one: WorkflowStatus | undefined, other: WorkflowStatus): boolean =>
  JSON.stringify(sorted(one ?? {})) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};

/** The status if it differs from the one on the object. */
export const changedStatus = <Status extends object>(former: Status | undefined, status: Status): Status | undefined =>
  isSame(former, status) ? undefined : status;

/** The end of a reconciliation with these findings. */
export const outcomeOf = (facts: WorkflowFacts, given: Findings): Outcome => {
  const { object, now, written } = facts;
  const { status: former } = object;
  const { generation } = object.metadata;
  const { workflow = facts.found?.workflow } = given;
  const id = workflow?.id ?? former?.workflowId;
  const versionId = workflow?.versionId || (written.length > 0 ? undefined : former?.versionId);
  const active = workflow?.active ?? former?.active;
  const webhooks = given.webhooks ?? former?.webhooks;
  const lastSyncedAt = written.length > 0 ? timeText(now) : former?.lastSyncedAt;
  const status: WorkflowStatus = {
    observedGeneration: generation,
    ...(id === undefined ? {} : { workflowId: id }),
    ...(versionId === undefined ? {} : { versionId }),
    ...(active === undefined ? {} : { active }),
    ...(webhooks === undefined || webhooks.length === 0 || active !== true ? {} : { webhooks }),
    ...(lastSyncedAt === undefined ? {} : { lastSyncedAt }),
    conditions: conditionsOf(given.findings, former?.conditions, generation, now),
  };
  return {
    result: given.result,
    again: given.again,
    status: changedStatus(former, status),
    ...(given.event === undefined ? {} : { event: given.event }),
  };
};
