import {
  compatibleOptions,
  flag,
  FREQUENCY_PENALTY,
  MAX_RETRIES,
  MAX_TOKENS,
  modelKind,
  modelLocator,
  modelName,
  optionsOf,
  PRESENCE_PENALTY,
  TEMPERATURE,
  timeout,
  TOP_P,
} from './descriptor-parts';
import { text } from '../../descriptors/build-parameters';

/** Time that n8n shows for these services, in milliseconds. */
const TIMEOUT_MS = 360_000;
const PRIVATE = 'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.';

export const lmChatMoonshot = modelKind('lmChatMoonshot', {
  label: 'Moonshot Kimi Chat Model',
  description: 'A chat model of Moonshot.',
  versions: [1, 1.1],
  credential: 'moonshotApi',
  parameters: [
    { ...modelName('kimi-k2.5'), until: 1 },
    { ...modelName('kimi-k2.6'), since: 1.1 },
    optionsOf(...compatibleOptions(TIMEOUT_MS)),
  ],
});

export const lmChatMinimax = modelKind('lmChatMinimax', {
  label: 'MiniMax Chat Model',
  description: 'A chat model of MiniMax.',
  versions: [1, 1.1, 1.2],
  credential: 'minimaxApi',
  parameters: [
    { ...modelName('MiniMax-M2.7'), until: 1 },
    { ...modelName('MiniMax-M3'), since: 1.1, until: 1.1 },
    { ...modelLocator('MiniMax-M3'), since: 1.2 },
    optionsOf(
      flag('hideThinking', 'Hide thinking', true, 'If off, the text of the answer begins with the thinking.'),
      MAX_TOKENS,
      TEMPERATURE,
      timeout(TIMEOUT_MS),
      MAX_RETRIES,
      TOP_P,
    ),
  ],
});

export const lmChatAlibabaCloud = modelKind('lmChatAlibabaCloud', {
  label: 'Qwen Cloud Chat Model',
  description: 'A chat model of Alibaba Cloud.',
  versions: [1, 1.1],
  credential: 'alibabaCloudApi',
  parameters: [modelName('qwen-plus'), optionsOf(...compatibleOptions(TIMEOUT_MS))],
});

export const lmChatNvidia = modelKind('lmChatNvidia', {
  label: 'NVIDIA Nemotron Chat Model',
  description: 'A chat model of NVIDIA, or on a NIM server.',
  credential: 'nvidiaApi',
  parameters: [modelName('nvidia/llama-3.3-nemotron-super-49b-v1'), optionsOf(...compatibleOptions(TIMEOUT_MS))],
});

export const lmChatCohere = modelKind('lmChatCohere', {
  label: 'Cohere Chat Model',
  description: 'A chat model of Cohere.',
  credential: 'cohereApi',
  differs: ["The node calls Cohere's API that is compatible with that of OpenAI."],
  parameters: [modelName('command-a-03-2025'), optionsOf(TEMPERATURE, MAX_RETRIES)],
});

export const lmChatLemonade = modelKind('lmChatLemonade', {
  label: 'Lemonade Chat Model',
  description: 'A chat model on a server of Lemonade.',
  credential: 'lemonadeApi',
  differs: [PRIVATE],
  parameters: [
    modelName(''),
    optionsOf(
      TEMPERATURE,
      TOP_P,
      FREQUENCY_PENALTY,
      PRESENCE_PENALTY,
      MAX_TOKENS,
      text('stop', 'Stop at', '', { help: 'Strings at which the answer ends, separated by commas.' }),
    ),
  ],
});
