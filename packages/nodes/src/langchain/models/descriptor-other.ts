import type { ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import {
  flag,
  FREQUENCY_PENALTY,
  modelKind,
  modelLocator,
  modelName,
  number,
  optionsOf,
  PRESENCE_PENALTY,
  TEMPERATURE,
  TOP_K,
  TOP_P,
  words,
} from './descriptor-parts';

const CATEGORIES = [
  'HARM_CATEGORY_UNSPECIFIED',
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
];
const THRESHOLDS = [
  'HARM_BLOCK_THRESHOLD_UNSPECIFIED',
  'BLOCK_LOW_AND_ABOVE',
  'BLOCK_MEDIUM_AND_ABOVE',
  'BLOCK_ONLY_HIGH',
  'BLOCK_NONE',
];

export const lmChatGoogleGemini = modelKind('lmChatGoogleGemini', {
  label: 'Google Gemini Chat Model',
  description: 'A chat model of Google Gemini.',
  versions: [1, 1.1, 1.2],
  credential: 'googlePalmApi',
  parameters: [
    { ...modelName('models/gemini-2.5-flash', 'modelName'), until: 1 },
    { ...modelName('models/gemini-3-flash-preview', 'modelName'), since: 1.1 },
    optionsOf(
      number('maxOutputTokens', 'Maximum number of tokens', 2_048, 'Of the response.'),
      { ...TEMPERATURE, default: 0.4 },
      { ...TOP_K, default: 32 },
      TOP_P,
      {
        name: 'safetySettings',
        label: 'Safety settings',
        type: 'fixedCollection',
        multiple: true,
        help: 'Content that the service blocks.',
        groups: [
          {
            name: 'values',
            label: 'Values',
            fields: [
              words('category', 'Safety category', 'HARM_CATEGORY_UNSPECIFIED', CATEGORIES, 'Kind of content.'),
              words('threshold', 'Safety threshold', 'HARM_BLOCK_THRESHOLD_UNSPECIFIED', THRESHOLDS, 'From when on.'),
            ],
          },
        ],
      },
    ),
  ],
});

/** Options that the service refuses together with thinking. */
const unlessThinking = (parameter: ParameterDescriptor): ParameterDescriptor => ({
  ...parameter,
  hiddenWhen: { thinking: [true], thinkingMode: ['adaptive', 'manual'] },
});

const BUDGET = number('thinkingBudget', 'Thinking budget', 1_024, 'Tokens that the model may spend on thinking.');

export const lmChatAnthropic = modelKind('lmChatAnthropic', {
  label: 'Anthropic Chat Model',
  description: 'A chat model of Anthropic.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6],
  credential: 'anthropicApi',
  differs: ['With tools, the system message and the tools are marked for the cache of the service.'],
  parameters: [
    { ...modelName('claude-2'), until: 1 },
    { ...modelName('claude-3-sonnet-20240229'), since: 1.1, until: 1.1 },
    { ...modelName('claude-3-5-sonnet-20240620'), since: 1.2, until: 1.2 },
    { ...modelLocator('claude-sonnet-4-5-20250929'), since: 1.3, until: 1.3 },
    { ...modelLocator('claude-sonnet-4-6'), since: 1.4, until: 1.5 },
    { ...modelLocator('claude-sonnet-5'), since: 1.6 },
    optionsOf(
      number('maxTokensToSample', 'Maximum number of tokens', 4_096, 'Of the response, thinking included.'),
      unlessThinking(TEMPERATURE),
      unlessThinking(TOP_K),
      unlessThinking(TOP_P),
      { ...flag('thinking', 'Enable thinking', false, 'The model thinks before it answers.'), until: 1.4 },
      { ...BUDGET, until: 1.4, shownWhen: { thinking: [true] } },
      {
        name: 'thinkingMode',
        label: 'Thinking mode',
        type: 'options',
        default: 'disabled',
        since: 1.5,
        help: 'Adaptive: the model decides how much it thinks.',
        options: [choice('disabled', 'Disabled'), choice('adaptive', 'Adaptive'), choice('manual', 'Manual')],
      },
      {
        ...words('effort', 'Effort', 'medium', ['low', 'medium', 'high', 'xhigh', 'max'], 'The last two: Opus only.'),
        since: 1.5,
        shownWhen: { thinkingMode: ['adaptive'] },
      },
      { ...BUDGET, since: 1.5, shownWhen: { thinkingMode: ['manual'] } },
      flag('streaming', 'Stream responses', false, 'Long responses are read as they are written.'),
      words(
        'promptCaching',
        'Prompt caching',
        'disabled',
        ['disabled', '5m', '1h'],
        'Time for which prompts are kept.',
      ),
    ),
  ],
});

const ollamaParameters: readonly ParameterDescriptor[] = [
  modelName('llama3.2'),
  optionsOf(
    flag('think', 'Enable thinking', true, 'For models that think.'),
    TEMPERATURE,
    TOP_K,
    TOP_P,
    FREQUENCY_PENALTY,
    text('keepAlive', 'Keep alive', '5m', { help: 'Time for which the model stays loaded, such as `1h30m`.' }),
    flag('lowVram', 'Low VRAM mode', false, 'Slower, with less memory.'),
    number('mainGpu', 'Main GPU', 0, 'Number of the GPU for the main computation.'),
    number('numBatch', 'Context batch size', 512, 'Tokens of the prompt that are processed at once.'),
    number('numCtx', 'Context length', 2_048, 'Tokens that the model sees.'),
    number('numGpu', 'Number of GPUs', -1, '-1 for any.'),
    number('numPredict', 'Max tokens to generate', -1, '-1 for any number.'),
    number('numThread', 'Number of CPU threads', 0, '0 for any.'),
    flag('penalizeNewline', 'Penalize newlines', true, 'Makes new lines less likely.'),
    PRESENCE_PENALTY,
    number('repeatPenalty', 'Repetition penalty', 1, 'Above 1, repetitions are less likely.'),
    flag('useMLock', 'Use memory locking', false, 'Keeps the model in memory.'),
    flag('useMMap', 'Use memory mapping', true, 'Maps the model into memory.'),
    flag('vocabOnly', 'Load vocabulary only', false, 'Loads the vocabulary without the weights.'),
    {
      name: 'format',
      label: 'Output format',
      type: 'options',
      default: 'default',
      options: [choice('default', 'Default'), choice('json', 'JSON')],
    },
  ),
];

const PRIVATE = 'Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.';

export const lmChatOllama = modelKind('lmChatOllama', {
  label: 'Ollama Chat Model',
  description: 'A chat model on a server of Ollama.',
  credential: 'ollamaApi',
  differs: [PRIVATE],
  parameters: ollamaParameters,
});

export const lmOllama = modelKind('lmOllama', {
  label: 'Ollama Model',
  description: 'A model on a server of Ollama, called by its chat API.',
  credential: 'ollamaApi',
  differs: [PRIVATE],
  parameters: ollamaParameters,
});
