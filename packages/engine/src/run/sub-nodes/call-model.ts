import type { MadeModelCall, ModelCall } from '../../node/model-calls';
import { NodeFailure } from '../../node/node-failure';
import type { RunFrame } from '../run-frame';

/**
 * Makes one call of a model within the limits, and counts its tokens. Tokens of the day are reserved by the estimate,
 * and corrected when the call is over.
 * @throws NodeFailure that names a limit: before the call, or after it
 */
export async function callModel<Result>(
  frame: RunFrame,
  call: ModelCall,
  perform: () => Promise<MadeModelCall<Result>>,
): Promise<Result> {
  const { models, subRuns } = frame;
  const open = models.begin(call);
  try {
    await models.reserve(call.estimatedTokens);
  } catch (thrown) {
    open.withdraw();
    throw thrown;
  }
  const made = await madeOf(frame, call, perform).finally(() => open.end());
  const { usage } = made.response;
  subRuns.addUsage(models.count(call.model, usage));
  await models.settle(usage.totalTokens - call.estimatedTokens);
  models.check();
  return made.result;
}

async function madeOf<Result>(
  { models, secrets, deps }: RunFrame,
  call: ModelCall,
  perform: () => Promise<MadeModelCall<Result>>,
): Promise<MadeModelCall<Result>> {
  try {
    const observer = deps.models?.observer;
    return await (observer?.call(call, perform, (json) => secrets.json(json)) ?? perform());
  } catch (thrown) {
    // Without a refusal the service may have worked on the prompt: then its tokens stay counted.
    // The owner needs the refusal, whether or not its tokens could be returned.
    if (wasRefused(thrown)) await models.settle(-call.estimatedTokens).catch(() => undefined);
    throw thrown;
  }
}

/** True if the service responded with the status of an error, which it does not charge. */
function wasRefused(thrown: unknown): boolean {
  return thrown instanceof NodeFailure && typeof thrown.context?.['status'] === 'number';
}
