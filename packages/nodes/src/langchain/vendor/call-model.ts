import type { NodeContext } from '@weft/engine';
import {
  type ChatCall,
  type ChatModel,
  type ChatResult,
  createChatModel,
  type ModelNode,
  modelOfNode,
  type NodeModel,
} from '@weft/models';
import { allowedHostsOfModel } from '../models/model-credential';
import { type FailedCall, modelFailure } from '../models/model-failure';
import { modelPorts } from '../models/model-ports';
import { chatCall, chatResponse } from '../models/observed-call';
import { estimateTokens } from '../models/token-estimate';

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
    const withHeaders = { ...endpoint, headers: [...headers, ...(endpoint.headers ?? [])] };
    const model = createChatModel(withHeaders, modelPorts(context));
    return await context.callModel(chatCall(endpoint, whole, estimate), async () => {
      const result = await callOnce(model, whole, { endpoint, signal, itemIndex });
      return { result, response: chatResponse(result, estimate) };
    });
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: found?.endpoint, signal, itemIndex });
  }
}

async function callOnce(model: ChatModel, call: ChatCall, failed: FailedCall): Promise<ChatResult> {
  try {
    return await model.call(call);
  } catch (thrown) {
    throw modelFailure(thrown, failed);
  }
}
