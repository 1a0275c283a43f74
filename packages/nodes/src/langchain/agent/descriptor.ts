import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag, text } from '../../descriptors/build-parameters';
import { withHelp } from '../../descriptors/with-help';

const NO_SQL = 'Agents for SQL are not supported. Use an agent with a database node as its tool.';

/** Kinds of agent of versions before 1.8. All run as the tools agent. */
const AGENTS = [
  choice('toolsAgent', 'Tools agent', { since: 1.6 }),
  choice('conversationalAgent', 'Conversational agent'),
  choice('openAiFunctionsAgent', 'OpenAI functions agent'),
  choice('planAndExecuteAgent', 'Plan and execute agent'),
  choice('reActAgent', 'ReAct agent'),
  choice('sqlAgent', 'SQL agent', { refused: NO_SQL }),
];

const HELP = {
  agent: 'All of them run as the tools agent: they differ in prompts for models that cannot call tools.',
  promptType: 'Source of the message to the model.',
  text: 'The message of the user to the model. Evaluated for each item.',
  hasOutputParser: 'If on, the answer has the form that the connected output parser describes.',
  needsFallback: 'If on, the second model is called when the first one fails.',
  options: 'Additional options.',
  'options.systemMessage': 'Instructions that the model gets before everything else.',
  'options.maxIterations': 'Answers of the model that call tools, at most 50. An agent without an answer then fails.',
  'options.returnIntermediateSteps': 'If on, the output has the calls of tools with their results.',
  'options.passthroughBinaryImages': 'If on, images of the item are sent to the model.',
  'options.passthroughBinaryPdfs': 'If on, PDF files of the item are sent to the model.',
  'options.batching': 'Number of items that are handled at once.',
  'options.batching.batchSize': 'At most 100.',
  'options.batching.delayBetweenBatches': 'In milliseconds, at most 60,000.',
} as const;

const prompt = (initial: string, over: Partial<ParameterDescriptor>): ParameterDescriptor =>
  text('text', 'Prompt', initial, { required: true, editor: 'multiline', ...over });

const SOURCES = [choice('auto', 'Connected chat trigger'), choice('guardrails', 'Connected guardrails', { until: 3 })];
const DEFINE = choice('define', 'Define below');

/** Where the message to the model comes from. */
const PROMPT: readonly ParameterDescriptor[] = [
  prompt('={{ $json.input }}', { until: 1 }),
  prompt('={{ $json.chat_input }}', { since: 1.1, until: 1.1 }),
  prompt('={{ $json.chatInput }}', { since: 1.2, until: 1.2 }),
  {
    name: 'promptType',
    label: 'Source of the prompt',
    type: 'options',
    default: 'auto',
    since: 1.3,
    options: [...SOURCES, DEFINE],
  },
  prompt('={{ $json.chatInput }}', { since: 1.3, shownWhen: { promptType: ['auto'] } }),
  prompt('={{ $json.guardrailsInput }}', { since: 1.7, shownWhen: { promptType: ['guardrails'] } }),
  prompt('', { since: 1.3, shownWhen: { promptType: ['define'] } }),
];

const OPTIONS: ParameterDescriptor = {
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  fields: [
    text('systemMessage', 'System message', 'You are a helpful assistant', { editor: 'multiline' }),
    { name: 'maxIterations', label: 'Iterations', type: 'number', default: 10 },
    flag('returnIntermediateSteps', 'Return intermediate steps'),
    flag('passthroughBinaryImages', 'Send images', true),
    flag('passthroughBinaryPdfs', 'Send PDF files'),
    { ...flag('enableStreaming', 'Stream', true), since: 2 },
    {
      name: 'batching',
      label: 'Batches',
      type: 'collection',
      default: {},
      since: 2,
      fields: [
        { name: 'batchSize', label: 'Size', type: 'number', default: 1 },
        { name: 'delayBetweenBatches', label: 'Pause', type: 'number', default: 0 },
      ],
    },
  ],
};

export const agent: KindDescriptor = {
  kind: 'langchain.agent',
  label: 'AI agent',
  description: 'Answers a prompt with a model that may call tools.',
  versions: [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 2.1, 2.2, 3, 3.1],
  groups: ['transform'],
  isTrigger: false,
  inputs: ['main'],
  outputs: ['main'],
  usableAsTool: { since: 2.2 },
  credentials: [],
  accepts: [
    { type: 'ai_languageModel', label: 'chat model', required: true, max: 1, until: 2 },
    {
      type: 'ai_languageModel',
      label: 'chat model',
      required: true,
      max: 1,
      since: 2.1,
      shownWhen: { needsFallback: [false] },
    },
    {
      type: 'ai_languageModel',
      label: 'chat model',
      required: true,
      max: 2,
      since: 2.1,
      shownWhen: { needsFallback: [true] },
    },
    { type: 'ai_memory', label: 'memory', max: 1 },
    { type: 'ai_tool', label: 'tools' },
    { type: 'ai_outputParser', label: 'output parser', max: 1 },
  ],
  differs: [
    'All kinds of agent before version 1.8 run as the tools agent; the SQL agent is refused.',
    'An agent that has no answer after its iterations fails in every version.',
    'Each step is stored: a run whose runner ends continues with the next step, and tools may wait.',
  ],
  parameters: withHelp(HELP, [
    {
      name: 'agent',
      label: 'Agent',
      type: 'options',
      default: 'conversationalAgent',
      until: 1.5,
      options: AGENTS,
    },
    { name: 'agent', label: 'Agent', type: 'options', default: 'toolsAgent', since: 1.6, until: 1.9, options: AGENTS },
    ...PROMPT,
    { ...flag('hasOutputParser', 'Require an output format'), since: 1.3 },
    { ...flag('needsFallback', 'Fallback model'), since: 2.1 },
    OPTIONS,
  ]),
};
