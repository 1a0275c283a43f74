import type { Json } from '@weft/node-catalogue';
import { type HttpResponse, messageOf, type NodeContext } from '@weft/engine';

/** The response to a request that does not meet the condition of its node. */
export const CONDITION_NOT_MET: HttpResponse = {
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: '{"message":"Webhook call received"}',
};

/**
 * True if a request meets the option `onlyRunIf` of the node that receives it, if the option is not an expression, or
 * if its expression cannot be evaluated.
 * @param request the value of `$json` in the expression; the current item by default
 */
export function meetsCondition(context: NodeContext, request?: Json): boolean {
  const given = context.rawParameter('options.onlyRunIf');
  if (typeof given !== 'string' || !given.startsWith('=')) return true;
  try {
    return Boolean(context.parameter('options.onlyRunIf', 0, request === undefined ? {} : { $json: request }));
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log([`The condition "Only run if" cannot be evaluated: ${messageOf(error)}`]);
    return true;
  }
}
