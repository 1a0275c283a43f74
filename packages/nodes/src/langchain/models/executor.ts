import { type NodeExecutor, NodeFailure } from '@weft/engine';
import { supplyModel } from './supply-model';

/** A sub-node that provides a language model. @param kind the name without its prefix */
const modelExecutor = (kind: string): NodeExecutor => ({
  kind: `langchain.${kind}`,
  actsOutside: true,
  run: ({ node }) => {
    throw new NodeFailure(`The node "${node.name}" is a model, which only other nodes can use`, {
      description: 'Connect it to the model input of a node that uses a model, such as a chain or an agent.',
    });
  },
  supplies: { ai_languageModel: (context) => supplyModel(kind, context) },
});

export const lmChatAlibabaCloud = modelExecutor('lmChatAlibabaCloud');
export const lmChatAnthropic = modelExecutor('lmChatAnthropic');
export const lmChatAzureOpenAi = modelExecutor('lmChatAzureOpenAi');
export const lmChatCohere = modelExecutor('lmChatCohere');
export const lmChatDeepSeek = modelExecutor('lmChatDeepSeek');
export const lmChatGoogleGemini = modelExecutor('lmChatGoogleGemini');
export const lmChatGroq = modelExecutor('lmChatGroq');
export const lmChatLemonade = modelExecutor('lmChatLemonade');
export const lmChatMinimax = modelExecutor('lmChatMinimax');
export const lmChatMistralCloud = modelExecutor('lmChatMistralCloud');
export const lmChatMoonshot = modelExecutor('lmChatMoonshot');
export const lmChatNvidia = modelExecutor('lmChatNvidia');
export const lmChatOllama = modelExecutor('lmChatOllama');
export const lmChatOpenAi = modelExecutor('lmChatOpenAi');
export const lmChatOpenRouter = modelExecutor('lmChatOpenRouter');
export const lmChatVercelAiGateway = modelExecutor('lmChatVercelAiGateway');
export const lmChatXAiGrok = modelExecutor('lmChatXAiGrok');
export const lmOllama = modelExecutor('lmOllama');
export const lmOpenAi = modelExecutor('lmOpenAi');
