import type { LanguageModel, SupplyContext } from '@weft/engine';
import {
  type ChatCall,
  type ChatResult,
  type ChatSettings,
  createChatModel,
  enforcesSchema,
  modelOfNode,
  type NodeModel,
} from '@weft/models';
import { booleanField, objectField, textField } from '@weft/node-catalogue';
import { allowedHostsOfModel, credentialTypeOf } from './model-credential';
import { modelFailure } from './model-failure';
import { modelPorts } from './model-ports';
import { pinnedResponse } from './pinned-response';
import { recordedInput, recordedOutput } from './recorded-call';
import { readModelNode } from './read-model-node';
import { chatCall, chatResponse } from './observed-call';
import { estimateTokens } from './token-estimate';

/**
 * The language model of a sub-node, for the item of the root.
 * @param kind the name without its prefix
 * @throws NodeFailure for a missing credential, and for parameters or a credential that name no model
 */
export async function supplyModel(kind: string, context: SupplyContext): Promise<LanguageModel> {
  const { itemIndex } = context;
  const node = readModelNode(kind, context);
  const model = await modelIn(context, node);
  const { endpoint, settings: own } = model;
  const chat = createChatModel(endpoint, modelPorts(context));
  // the option of the node streams only between the service and here
  const streams = booleanField(objectField(node.parameters, 'options'), 'streaming') === true;
  return {
    name: endpoint.model,
    enforcesSchema: enforcesSchema(endpoint),
    ...(answersJson(own) ? { answersJson: true } : {}),
    call: async (given) => {
      const settings = merged(own, given.settings);
      const estimate = estimateTokens(given);
      const input = recordedInput(endpoint.model, { ...given, settings }, estimate);
      const pinned = pinnedResponse(context);
      if (pinned !== undefined)
        return context.record(input, async () => {
          const result = await replayed(pinned, given);
          return { result, output: recordedOutput(result, estimate) };
        });
      const whole = { ...given, settings };
      return context.callModel(chatCall(endpoint, whole, estimate), async () => {
        const result = await context.record(input, async () => {
          const made = await callOnce(chat, whole, context, streams);
          return { result: made, output: recordedOutput(made, estimate) };
        });
        return { result, response: chatResponse(result, estimate) };
      });
    },
  };

  async function callOnce(
    { call }: ReturnType<typeof createChatModel>,
    given: ChatCall,
    { signal }: SupplyContext,
    isStreamed: boolean,
  ): Promise<ChatResult> {
    try {
      return await call({ signal, ...(isStreamed ? { onDelta: () => undefined } : {}), ...given });
    } catch (thrown) {
      throw modelFailure(thrown, { endpoint, signal, itemIndex });
    }
  }
}

/** The endpoint and the settings of a node. @throws NodeFailure */
async function modelIn(context: SupplyContext, node: ReturnType<typeof readModelNode>): Promise<NodeModel> {
  const { itemIndex } = context;
  const credential = await context.credential(credentialTypeOf(node.kind));
  try {
    return modelOfNode(node, credential, allowedHostsOfModel(credential));
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: undefined, signal: context.signal, itemIndex });
  }
}

/** True for the option of the node, and for a field that the user adds to the body. */
const answersJson = ({ json, body }: ChatSettings): boolean =>
  json === true || textField(objectField(body, 'response_format'), 'type') === 'json_object';

/** Settings of a call over those of the node. */
function merged(own: ChatSettings, given: ChatSettings = {}): ChatSettings {
  const stated = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const body = own.body === undefined || given.body === undefined ? {} : { body: { ...own.body, ...given.body } };
  return { ...own, ...stated, ...body };
}

/** A pinned response, reported like one of the service. */
async function replayed(result: ChatResult, { onDelta }: ChatCall): Promise<ChatResult> {
  const { content } = result.message;
  if (onDelta !== undefined && content !== '') await onDelta({ type: 'text', text: content });
  return result;
}
