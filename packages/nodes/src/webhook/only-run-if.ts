import type { Json } from '@weft/node-catalogue';
import { type HttpResponse, messageOf, type NodeContext } from '@weft/engine';

/** The answer to a request that does not meet the condition of its node. */
export const CONDITION_NOT_MET: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"message":"Webhook call received"}',
};

/**
 * True if a request meets the option `onlyRunIf` of the node that receives it: also if the node states no condition as
 * an expression, and if its expression cannot be evaluated.
 * @param request What the expression sees as `$json`; the current item if absent.
 */
export function meetsCondition(context: NodeContext, request?: Json): boolean {
  const stated = context.rawParameter('options.onlyRunIf');
  if (typeof stated !== 'string' || !stated.startsWith('=')) return true;
  try {
    return Boolean(context.parameter('options.onlyRunIf', 0, request === undefined ? {} : { $json: request }));
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log([`The condition "Only run if" cannot be evaluated: ${messageOf(error)}`]);
    return true;
  }
}
