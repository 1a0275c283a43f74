import {
  type Item,
  type NodeContext,
  type NodeExecutor,
  type NodeResult,
  output,
  type WaitRequest,
} from '@weft/engine';
import { choiceParameter } from '../shared/read-parameter';
import { afterPage } from '../form/page-wait';
import { CONDITION_NOT_MET, meetsCondition } from '../webhook/only-run-if';
import { waitForCall } from './caller-wait';
import { endAfter, endAt } from './end-of-wait';
import { waitForForm } from './form-wait';

const WAYS = ['timeInterval', 'specificTime', 'webhook', 'form'] as const;

/**
 * Makes the run wait for a time, after which its items pass through, or for a call of its resume URL, which becomes its
 * item. If the run resumes on another runner during the wait, the end of the wait is unchanged.
 */
export const wait: NodeExecutor = {
  kind: 'wait',
  actsOutside: false,
  awaitsCaller: true,
  run: (context) => {
    const { resume } = context;
    if (resume?.kind === 'webhook') return called(context, resume.item);
    if (resume !== undefined) return over(context, passed(context));
    const request = waitRequestOf(context);
    if (request.kind === 'timer' && request.at <= context.ports.clock.now()) return over(context, passed(context));
    if (request.kind !== 'child' && request.at !== undefined) context.memory['until'] = request.at;
    return { kind: 'wait', wait: request };
  },
};

/** A stored end takes precedence: the node runs again after a crash. */
function waitRequestOf(context: NodeContext): WaitRequest {
  const known = context.memory['until'];
  const way = choiceParameter(context, 'resume', 0, WAYS);
  switch (way) {
    case 'timeInterval':
      return { kind: 'timer', at: typeof known === 'number' ? known : endAfter(context, 'amount', 'unit') };
    case 'specificTime':
      return { kind: 'timer', at: typeof known === 'number' ? known : endAt(context, 'dateTime') };
    case 'webhook':
      return { ...waitForCall(context), ...(typeof known === 'number' ? { at: known } : {}) };
    case 'form':
      return waitForForm(context);
  }
}

/**
 * A call becomes the item unchanged, a form the item made from its fields. For a call that does not meet the condition
 * of the node it sends a response, and the wait continues at the same URL, to the same end.
 */
function called(context: NodeContext, item: Item): NodeResult | Promise<NodeResult> {
  if (choiceParameter(context, 'resume', 0, WAYS) === 'form') return over(context, afterPage(context, false));
  return meetsCondition(context, item.json) ? over(context, [item]) : waitOn(context);
}

async function waitOn(context: NodeContext): Promise<NodeResult> {
  await context.ports.respond(CONDITION_NOT_MET);
  return { kind: 'wait', wait: waitRequestOf(context) };
}

function over(context: NodeContext, items: readonly Item[]): NodeResult {
  delete context.memory['until'];
  return output(items);
}

function passed(context: NodeContext): Item[] {
  return context.items.map((item, index) => ({ ...item, pairedItem: { item: index } }));
}
