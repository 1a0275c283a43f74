import type { NodeRegistry } from '../../node/node';
import { executorFor, type PreparedWorkflow, shapeOf } from '../../prepare/prepare-workflow';
import type { ReadyEntry } from '../../records/engine-state';
import type { ReadyQueue } from '../ready-queue';

/** Calls of one request that run at the same time. */
const MAX_CONCURRENT_CALLS = 4;

/**
 * The calls that run together with a call that was taken; empty if it runs without others.
 * @param queue from which they are taken. `endCalls` is due if there are any
 */
export function callsAlongside(
  first: ReadyEntry,
  queue: ReadyQueue,
  workflow: PreparedWorkflow,
  registry: NodeRegistry,
): readonly ReadyEntry[] {
  const joined: ReadyEntry[] = [];
  const admits = (entry: ReadyEntry): boolean => {
    if (!mayJoin(entry, joined, workflow, registry)) return false;
    joined.push(entry);
    return true;
  };
  return admits(first) ? queue.takeCallsAfter(first, MAX_CONCURRENT_CALLS, admits) : [];
}

/**
 * False for a call that waits for a person, needs approval or continues after a wait; and for the second one of a node
 * with sub-nodes, whose runs say to which run of that node they belong.
 */
function mayJoin(
  { node: name, call, waited, wait }: ReadyEntry,
  others: readonly ReadyEntry[],
  workflow: PreparedWorkflow,
  registry: NodeRegistry,
): boolean {
  const node = workflow.nodes.get(name);
  if (node === undefined || call === undefined || waited === true || wait !== undefined) return false;
  if (node.options.approval) return false;
  if (node.attachments !== undefined && others.some((other) => other.node === name)) return false;
  const { awaitsCaller = false } = executorFor(node, registry) ?? {};
  return !(typeof awaitsCaller === 'function' ? awaitsCaller(shapeOf(node)) : awaitsCaller);
}

/** Runs something for all at once, and waits until each has ended. @throws the first error */
export async function runAll<One, Result>(
  all: readonly One[],
  run: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const ended = await Promise.allSettled(all.map(run));
  return ended.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}
