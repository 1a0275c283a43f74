import { hasDrifted, isObject, planWorkflows, type CheckResult, type ListedWorkflow, type Step } from '@weft/apply';
import { conditionOf, type Finding } from './conditions';
import { decideDeletion } from './decide-deletion';
import type { AdoptedFrom, Outcome, Source, Synced, WorkflowDecision, WorkflowFacts, Write } from './facts';
import { hasFinalizer, keyOf, setOf, wantsAdoption, type Reason } from './objects';
import { failedOutcome, stalled, waiting } from './workflow-failures';
import { finding } from './end-findings';
import { formerFindings, outcomeOf, webhooksOf } from './workflow-status';

const MAX_FIELDS = 5;

/** Facts that are complete enough for a plan. */
interface Complete {
  readonly facts: WorkflowFacts;
  readonly workflow: ListedWorkflow | undefined;
  readonly source: Source;
  readonly check: CheckResult;
}

const suspended = (facts: WorkflowFacts): Outcome =>
  outcomeOf(facts, {
    result: 'unchanged',
    again: { when: 'resync' },
    findings: formerFindings(facts, 'Ready', 'Synced', 'CredentialsResolved', 'Activated'),
  });

const isSteady = ({ object, synced, source }: WorkflowFacts, workflow: ListedWorkflow): boolean => {
  const { metadata, status } = object;
  return (
    synced !== undefined &&
    synced.generation === metadata.generation &&
    synced.etag === workflow.etag &&
    status?.observedGeneration === metadata.generation &&
    status.workflowId === workflow.id &&
    hasFinalizer(metadata) &&
    (source === undefined || (source.state === 'found' && source.source.version === synced.sourceVersion))
  );
};

/** The definition as it is sent: what belongs to the object or to another instance is not part of it. */
export const sentDefinition = ({ definition }: Source): Source['definition'] =>
  Object.fromEntries(
    Object.entries(definition).filter(
      ([name]) => !['key', 'id', 'active', 'createdAt', 'updatedAt', 'projectId'].includes(name),
    ),
  );

const textMember = (definition: Source['definition'], name: string): string | undefined => {
  const value = definition[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const adoptedFrom = ({ definition }: Source): AdoptedFrom => ({
  key: textMember(definition, 'key'),
  id: textMember(definition, 'id'),
});

const planOf = ({ facts, workflow, source, check }: Complete, active: boolean) => {
  const { object, cluster } = facts;
  const { metadata, spec } = object;
  const definition = sentDefinition(source);
  const document = {
    file: `${metadata.namespace}/${metadata.name}`,
    index: 0,
    key: keyOf(cluster, metadata),
    hasOwnKey: true,
    id: undefined,
    active,
    name: textMember(definition, 'name') ?? metadata.name,
    definition,
  };
  const plan = planWorkflows([{ document, workflow, by: workflow === undefined ? 'none' : 'key', check }], [], {
    manager: 'kubernetes',
    set: setOf(cluster, metadata.namespace),
    prune: false,
    pruneAll: false,
    adopt: wantsAdoption(metadata),
    overwrite: spec.driftPolicy === 'Revert',
  });
  const conflicts = new Map(plan.conflicts.map((one) => [one.reason, one.message]));
  return { plan, conflicts };
};

/** True if someone has activated or deactivated the workflow since the object was applied. */
const hasActiveDrift = ({ object: { metadata, spec, status } }: WorkflowFacts, workflow: ListedWorkflow): boolean => {
  if (status?.observedGeneration !== metadata.generation || status.workflowId !== workflow.id) return false;
  const isKnown = conditionOf(status.conditions, 'Synced')?.reason === 'Drifted';
  return workflow.active !== spec.active && (status.active === spec.active || isKnown);
};

const credentialsFinding = ({ check }: Complete): Finding => {
  const open = check.credentials.filter(({ how }) => how === 'none' || how === 'ambiguous');
  const names = [...new Set(open.map(({ type, name }) => `${type} "${name}"`))].join(', ');
  if (open.length === 0) return finding('CredentialsResolved', 'True', 'Resolved', 'Each name is one credential.');
  const isMissing = open.some(({ how }) => how === 'none');
  const message = isMissing
    ? `The project has no credential ${names}. Create it, for example as a WeftCredential.`
    : `Several credentials of the project are called ${names}. Rename all but one.`;
  return finding('CredentialsResolved', 'False', isMissing ? 'Missing' : 'Ambiguous', message);
};

const drifted = (complete: Complete): Outcome => {
  const message = 'Changed in Weft since it was applied. Set driftPolicy to Revert to replace that change.';
  return outcomeOf(complete.facts, {
    result: 'refused',
    again: { when: 'resync' },
    findings: [
      finding('Ready', 'False', 'Drifted', message),
      finding('Synced', 'False', 'Drifted', message),
      credentialsFinding(complete),
      ...formerFindings(complete.facts, 'Activated'),
    ],
  });
};

const pathTaken = (complete: Complete, message: string, isStored: boolean): Outcome =>
  outcomeOf(complete.facts, {
    result: 'refused',
    again: { when: 'resync' },
    findings: [
      finding('Ready', 'False', 'WebhookPathTaken', message),
      ...(isStored ? [finding('Synced', 'True', 'Applied', 'The definition is stored.')] : []),
      credentialsFinding(complete),
      finding('Activated', 'False', 'WebhookPathTaken', message),
    ],
  });

const writeOf = (step: Step): Write | undefined => {
  switch (step.action) {
    case 'create':
      return { action: 'create', definition: step.definition, active: step.active };
    case 'replace':
      return { action: 'replace', workflow: step.workflow, definition: step.definition };
    case 'activate':
    case 'deactivate':
      return { action: step.action, workflow: step.workflow };
    case 'delete':
      return undefined;
  }
};

const applied = (complete: Complete): Outcome => {
  const { facts, workflow, source, check } = complete;
  const { object, written, hasReverted, publicUrl } = facts;
  const { active } = object.spec;
  const [reason, message]: [Reason, string] = active
    ? ['Active', 'The workflow is active.']
    : ['Inactive', 'The workflow is inactive, as specified.'];
  const webhooks = webhooksOf(publicUrl, check);
  const credentials = credentialsFinding(complete);
  // An inactive workflow is stored without its credentials; the next poll looks for them again.
  const isSynced = workflow !== undefined && credentials.status === 'True';
  const synced: Synced | undefined = isSynced
    ? { generation: object.metadata.generation, sourceVersion: source.version, etag: workflow.etag, webhooks }
    : undefined;
  const outcome = outcomeOf(facts, {
    result: written.length > 0 ? 'applied' : 'unchanged',
    again: { when: 'resync' },
    webhooks,
    findings: [
      finding('Ready', 'True', reason, message),
      finding('Synced', 'True', 'Applied', 'The version in Weft matches the object.'),
      credentials,
      ...(active ? [finding('Activated', 'True', 'Registered', 'Routes and schedules are registered.')] : []),
    ],
    ...(written.length === 0
      ? {}
      : {
          event: hasReverted
            ? { type: 'Normal', reason: 'Reverted', message: 'Replaced a change that was made in Weft.' }
            : { type: 'Normal', reason: 'Applied', message: `Applied: ${written.join(', ')}.` },
        }),
  });
  return { ...outcome, synced };
};

const decidePlan = (complete: Complete): WorkflowDecision => {
  const { facts, workflow } = complete;
  const { object } = facts;
  const { spec } = object;
  const finish = (outcome: Outcome): WorkflowDecision => ({ next: 'finish', outcome });
  const wanted = planOf(complete, spec.active);
  if (wanted.plan.errors.length > 0) {
    const message = wanted.plan.errors.slice(0, MAX_FIELDS).map((error) => error.message);
    const findings = [credentialsFinding(complete)];
    if (facts.hasPendingApps === true) return finish(waiting(facts, message.join(' '), findings));
    return finish(stalled(facts, 'Refused', message.join(' '), { synced: 'Refused', findings, isRefusal: true }));
  }
  if (wanted.conflicts.has('MANAGED_ELSEWHERE') || wanted.conflicts.has('NOT_MANAGED')) {
    const message =
      `The operator does not manage the workflow ${workflow?.id ?? ''} with this key. ` +
      'To take it over, set the annotation weft.dev/adopt to "true".';
    return finish(stalled(facts, 'KeyTaken', message, { synced: 'KeyTaken' }));
  }
  // A workflow that the object manages is cleaned up with it, whether or not it is written now.
  if (workflow !== undefined && !hasFinalizer(object.metadata)) return { next: 'add-finalizer' };
  const hasChanged = workflow !== undefined && hasActiveDrift(facts, workflow);
  if (wanted.conflicts.has('CHANGED_ELSEWHERE') || (hasChanged && spec.driftPolicy === 'Warn'))
    return finish(drifted(complete));
  const unlinked = wanted.conflicts.get('CREDENTIAL_NOT_LINKED');
  if (unlinked !== undefined && spec.active) {
    const open = credentialsFinding(complete);
    return finish(waiting(facts, open.message, [open]));
  }
  const taken = facts.pathTaken ?? wanted.conflicts.get('WEBHOOK_PATH_TAKEN');
  // An active version stays. A workflow that is not active is stored, and activated once the address is free.
  if (taken !== undefined && workflow?.active === true) return finish(pathTaken(complete, taken, false));
  const { plan } = taken === undefined ? wanted : planOf(complete, false);
  const [step] = plan.steps;
  const write = step && writeOf(step);
  if (!hasFinalizer(object.metadata)) return { next: 'add-finalizer' };
  if (write !== undefined)
    return { next: 'write', write, reverts: workflow !== undefined && (hasDrifted(workflow) || hasChanged) };
  return finish(taken === undefined ? applied(complete) : pathTaken(complete, taken, true));
};

/** The next action of a reconciliation, or its end. Pure: the same facts have the same decision. */
export const decideWorkflow = (facts: WorkflowFacts): WorkflowDecision => {
  const { object, failure, found, source, check } = facts;
  const { metadata, spec } = object;
  const finish = (outcome: Outcome): WorkflowDecision => ({ next: 'finish', outcome });
  if (metadata.deletionTimestamp !== undefined) return decideDeletion(facts);
  if (failure !== undefined) return finish(failedOutcome(facts, failure));
  if (spec.suspend) return finish(suspended(facts));
  if (spec.definitionFrom !== undefined && source === undefined) return { next: 'read-source' };
  if (source?.state === 'missing') {
    const findings = formerFindings(facts, 'CredentialsResolved');
    return finish(waiting(facts, source.message, findings));
  }
  if (found === undefined) return { next: 'find' };
  const { workflow } = found;
  if (workflow !== undefined && isSteady(facts, workflow)) return finish(steady(facts, workflow));
  if (source === undefined) return { next: 'read-source' };
  if (workflow === undefined && wantsAdoption(metadata) && facts.hasSearched !== true)
    return { next: 'search', from: adoptedFrom(source.source) };
  if (check === undefined) return { next: 'check' };
  if (check.definition !== null && !isObject(check.definition))
    return finish(failedOutcome(facts, { kind: 'unavailable', message: 'Weft answered a check with something else.' }));
  return decidePlan({ facts, workflow, source: source.source, check });
};

/** Nothing has changed. The version of a workflow is only known from the list after a write. */
const steady = (facts: WorkflowFacts, workflow: ListedWorkflow): Outcome => {
  const { object, synced } = facts;
  const { status } = object;
  const hasVersion = workflow.versionId === '' || status?.versionId === workflow.versionId;
  return {
    result: 'unchanged',
    again: { when: 'resync' },
    status: hasVersion || status === undefined ? undefined : { ...status, versionId: workflow.versionId },
    synced,
  };
};
