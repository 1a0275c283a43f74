import type { NodeContext } from '@weft/engine';
import {
  type ChatCall,
  type ChatResult,
  createChatModel,
  type ModelNode,
  modelOfNode,
  type NodeModel,
} from '@weft/models';
import { allowedHostsOfModel } from '../models/model-credential';
import { modelFailure } from '../models/model-failure';
import { modelPorts } from '../models/model-ports';
import { estimateTokens, usageOrEstimate } from '../models/token-estimate';

/** A model that a node calls itself. */
export interface ModelChoice {
  /** A chat model node with the same settings. */
  readonly node: ModelNode;
  /** Type of the node's credential. */
  readonly credentialType: string;
  /** Headers of each call. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** Calls the model once. The call and its tokens count for the limits of the execution. @throws NodeFailure */
export async function callModel(
  context: NodeContext,
  { node, credentialType, headers = [] }: ModelChoice,
  call: ChatCall,
  itemIndex: number,
): Promise<ChatResult> {
  const { signal } = context;
  const credential = await context.credential(credentialType);
  let found: NodeModel | undefined;
  try {
    found = modelOfNode(node, credential, allowedHostsOfModel(credential));
    const { endpoint, settings } = found;
    const whole: ChatCall = { signal, ...call, settings: { ...settings, ...call.settings } };
    const estimate = estimateTokens(whole);
    context.countModelCall(estimate);
    const withHeaders = { ...endpoint, headers: [...headers, ...(endpoint.headers ?? [])] };
    const result = await createChatModel(withHeaders, modelPorts(context)).call(whole);
    context.countTokens(usageOrEstimate(result, estimate));
    return result;
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: found?.endpoint, signal, itemIndex });
  }
}
