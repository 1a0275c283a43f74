import {
  planRun,
  type NodeDefinition,
  type PreviousRun,
  type RunTarget,
  type WorkflowDefinition,
} from '@weft/node-catalogue';
import { checkDefinition, isTrigger, kindsIn, startNodeOf } from '@weft/nodes/descriptors';
import type { RunPlan as RunPlanMessage } from '@weft/proto/workflows';
import { type FieldError, InvalidRequest, type ServiceError } from '@weft/service-kit/errors';
import { toFieldErrors, WorkflowNotRunnable } from '../errors';
import { startError } from './plan-start';

/** An execution whose output may be used again. */
export interface PreviousExecution extends Omit<PreviousRun, 'definition'> {
  readonly versionId: string;
}

/** The nodes to run. */
export interface PlanRequest {
  /** Empty: everything that the start reaches. */
  readonly destinationNode: string;
  readonly previous?: PreviousExecution;
}

/** A start of a part of a definition. */
export interface PartialStart {
  readonly workflowId: string;
  /** Empty: the trigger of the previous execution, or the best one. */
  readonly startNode: string;
  readonly destinationNode: string;
  readonly usePinData: boolean;
  /** With the definition that ran. */
  readonly previous?: PreviousRun;
}

/** Where a run begins, and the nodes that take part. */
export interface PlannedRun {
  readonly startNode: string;
  readonly plan: RunPlanMessage;
}

const nodeNamed = (definition: WorkflowDefinition, name: string): NodeDefinition | undefined =>
  definition.nodes.find((node) => node.name === name);

/** A start node that is not a trigger needs input: the output of the nodes before it, or what was sent. */
const targetOf = (definition: WorkflowDefinition, start: PartialStart): RunTarget => {
  const { startNode, destinationNode: to, previous } = start;
  const first = nodeNamed(definition, startNode);
  const begins = first !== undefined && !isTrigger(first, kindsIn(definition));
  if (previous === undefined && begins) return { mode: 'input', node: startNode, to };
  if (begins && startNode === to) return { mode: 'only', node: startNode };
  if (first !== undefined && (begins || to === ''))
    return { mode: 'from', node: startNode, ...(to === '' ? {} : { to }) };
  return { mode: 'to', node: to, ...(first === undefined ? {} : { startNode }) };
};

const unknownNodes = (definition: WorkflowDefinition, { startNode, destinationNode }: PartialStart): FieldError[] => {
  const start = startNode === '' ? undefined : startNodeOf(definition, startNode);
  const message = `The workflow has no node called "${destinationNode.slice(0, 100)}".`;
  const isKnown = destinationNode === '' || nodeNamed(definition, destinationNode) !== undefined;
  return [
    ...(start === undefined || start.kind === 'found' ? [] : [startError(start)]),
    ...(isKnown ? [] : [{ field: 'destinationNode', message }]),
  ];
};

/**
 * Plans a run of some nodes, as editors do.
 * @returns WorkflowNotRunnable if a node does not exist, is not reached, or would run and is not valid; InvalidRequest
 * if it is not clear what is to run
 */
export const planPartialRun = (definition: WorkflowDefinition, start: PartialStart): PlannedRun | ServiceError => {
  const { workflowId, startNode, destinationNode, usePinData, previous } = start;
  if (startNode === '' && destinationNode === '')
    return new InvalidRequest('The start is not valid.', [
      { field: 'destinationNode', message: 'is required with reuseFrom, unless startNode is set' },
    ]);
  const unknown = unknownNodes(definition, start);
  if (unknown.length > 0) return new WorkflowNotRunnable(workflowId, unknown);
  const target = targetOf(definition, start);
  const plan = planRun(definition, previous, target, { kinds: kindsIn(definition), usePinData });
  const end = destinationNode === '' ? startNode : destinationNode;
  const entry = plan.entry ?? (plan.pinnedEntries.length === 0 ? end : undefined);
  const isReached = target.mode !== 'to' || target.startNode === undefined || plan.entry === target.startNode;
  const errors = isReached
    ? toFieldErrors(definition, checkDefinition(definition, new Set(plan.run)))
    : [{ field: 'destinationNode', message: `No connections lead from "${startNode}" to "${destinationNode}".` }];
  if (errors.length > 0) return new WorkflowNotRunnable(workflowId, errors);
  const { run, reused, pinned, pinnedEntries, missing } = plan;
  return {
    startNode: entry ?? pinnedEntries[0] ?? end,
    plan: {
      run: [...run],
      reused: [...reused],
      pinned: [...pinned],
      pinnedEntries: [...pinnedEntries],
      missing: [...missing],
      hasEntry: entry !== undefined,
      runsAll: false,
    },
  };
};
