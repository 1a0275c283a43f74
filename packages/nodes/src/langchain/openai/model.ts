import type { NodeContext } from '@weft/engine';
import { type ChatCall, type ChatResult, createChatModel, modelOfNode, type NodeModel } from '@weft/models';
import type { JsonObject } from '@weft/node-catalogue';
import { allowedHostsOfModel } from '../models/model-credential';
import { modelFailure } from '../models/model-failure';
import { estimateTokens, usageOrEstimate } from '../models/token-estimate';

/** The type of the node's credential. */
export const CREDENTIAL = 'openAiApi';

/** A model of OpenAI that the node calls itself, with the settings of a chat model node. */
export interface ModelChoice {
  readonly model: string;
  readonly usesResponses: boolean;
  /** Options and built-in tools by the names that chat model nodes have. */
  readonly options: JsonObject;
  readonly builtInTools?: JsonObject;
}

/** Calls the model once. The call and its tokens count for the limits of the execution. @throws NodeFailure */
export async function callModel(
  context: NodeContext,
  { model, usesResponses, options, builtInTools = {} }: ModelChoice,
  call: ChatCall,
  itemIndex: number,
): Promise<ChatResult> {
  const { signal, ports } = context;
  const credential = await context.credential(CREDENTIAL);
  let found: NodeModel | undefined;
  try {
    found = modelOfNode(
      {
        kind: 'lmChatOpenAi',
        typeVersion: 1.3,
        parameters: { model, options, responsesApiEnabled: usesResponses, builtInTools },
      },
      credential,
      allowedHostsOfModel(credential),
    );
    const { endpoint, settings } = found;
    const whole: ChatCall = { signal, ...call, settings: { ...settings, ...call.settings } };
    const estimate = estimateTokens(whole);
    context.countModelCall(estimate);
    const result = await createChatModel(endpoint, {
      http: ports.streams,
      withoutSecrets: (json) => context.withoutSecrets(json),
      sleep: (ms, given = signal) => ports.clock.sleep(ms, given),
    }).call(whole);
    context.countTokens(usageOrEstimate(result, estimate));
    return result;
  } catch (thrown) {
    throw modelFailure(thrown, { endpoint: found?.endpoint, signal, itemIndex });
  }
}
