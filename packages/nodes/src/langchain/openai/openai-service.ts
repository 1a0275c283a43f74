import type { JsonObject } from '@weft/node-catalogue';
import type { ModelChoice } from '../vendor/call-model';
import type { Service } from '../vendor/service';

const CREDENTIAL = 'openAiApi';

/** The API of OpenAI, or of a server that has the same. */
export const OPENAI: Service = {
  credentialType: CREDENTIAL,
  addressField: 'url',
  address: 'https://api.openai.com/v1',
};

/** A model of OpenAI, with the settings of a chat model node. */
export interface OpenAiModel {
  readonly model: string;
  readonly usesResponses: boolean;
  /** Options and built-in tools by the names that chat model nodes have. */
  readonly options: JsonObject;
  readonly builtInTools?: JsonObject;
}

/** The model as a chat model node would choose it. */
export const openAiModel = ({ model, usesResponses, options, builtInTools = {} }: OpenAiModel): ModelChoice => ({
  node: {
    kind: 'lmChatOpenAi',
    typeVersion: 1.3,
    parameters: { model, options, responsesApiEnabled: usesResponses, builtInTools },
  },
  credentialType: CREDENTIAL,
});
