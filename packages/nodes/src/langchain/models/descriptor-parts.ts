import type { Json, KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, flag as flagWithoutHelp, text } from '../../descriptors/build-parameters';

type Parameter = ParameterDescriptor;

export const number = (name: string, label: string, initial: number, help: string): Parameter => ({
  name,
  label,
  type: 'number',
  default: initial,
  help,
});

export const flag = (name: string, label: string, initial: boolean, help: string): Parameter => ({
  ...flagWithoutHelp(name, label, initial),
  help,
});

export const json = (name: string, label: string, initial: string, help: string): Parameter => ({
  name,
  label,
  type: 'json',
  default: initial,
  editor: 'json',
  help,
});

/** A parameter with a fixed set of words, which are their own labels. */
export const words = (
  name: string,
  label: string,
  initial: string,
  all: readonly string[],
  help: string,
): Parameter => ({
  name,
  label,
  type: 'options',
  default: initial,
  help,
  options: all.map((word) => choice(word, word)),
});

/** The name of the model, as text. Forms offer the models of the account. */
export const modelName = (initial: string, name = 'model'): Parameter => ({
  ...text(name, 'Model', initial),
  required: true,
  list: 'models',
  help: 'Name of the model at the service.',
});

/** The same as a resource locator. */
export const modelLocator = (initial: string): Parameter => ({
  name: 'model',
  label: 'Model',
  type: 'resourceLocator',
  default: { __rl: true, mode: 'list', value: initial } satisfies Json,
  required: true,
  help: 'Name of the model at the service.',
  modes: [
    { name: 'list', label: 'From list', list: 'models' },
    { name: 'id', label: 'ID' },
  ],
});

/** Options of a call. Those that are not set are not sent. */
export const optionsOf = (...fields: readonly Parameter[]): Parameter => ({
  name: 'options',
  label: 'Options',
  type: 'collection',
  default: {},
  help: 'Options of each call. One that is not set is not sent: the service has its own defaults.',
  fields,
});

export const TEMPERATURE = number('temperature', 'Sampling temperature', 0.7, '0 gives the most predictable text.');
export const TOP_P = number('topP', 'Top P', 1, 'Share of the probability from which tokens are chosen.');
export const TOP_K = number('topK', 'Top K', -1, 'Number of tokens to choose from; negative for no limit.');
export const FREQUENCY_PENALTY = number(
  'frequencyPenalty',
  'Frequency penalty',
  0,
  'From -2 to 2. Positive values make repetitions less likely.',
);
export const PRESENCE_PENALTY = number(
  'presencePenalty',
  'Presence penalty',
  0,
  'From -2 to 2. Positive values make new topics more likely.',
);
export const MAX_TOKENS = number(
  'maxTokens',
  'Maximum number of tokens',
  -1,
  'Of the response; negative for no limit.',
);
export const MAX_RETRIES = number(
  'maxRetries',
  'Max retries',
  2,
  'After 429, 5xx and connections that fail, before a response begins; at most 10.',
);
export const RESPONSE_FORMAT: Parameter = {
  name: 'responseFormat',
  label: 'Response format',
  type: 'options',
  default: 'text',
  help: 'With JSON, the prompt must ask for JSON as well.',
  options: [choice('text', 'Text'), choice('json_object', 'JSON')],
};

/** Time for one call with its retries. @param initial the time that n8n shows; without the option it is 300 s */
export const timeout = (initial: number): Parameter =>
  number('timeout', 'Timeout (ms)', initial, 'For one call with its retries; 300,000 if it is not set.');

/** Options that most services with the API of OpenAI have. */
export const compatibleOptions = (timeoutMs: number): readonly Parameter[] => [
  FREQUENCY_PENALTY,
  MAX_TOKENS,
  RESPONSE_FORMAT,
  PRESENCE_PENALTY,
  TEMPERATURE,
  timeout(timeoutMs),
  MAX_RETRIES,
  TOP_P,
];

/** Differences that all model nodes have. */
const DIFFERS = [
  'A call has 300 s unless `timeout` is set.',
  'The key is sent only to the host of the credential, or to hosts that the credential allows.',
];

/** Facts of one kind of model node. */
export interface ModelKind extends Pick<KindDescriptor, 'label' | 'description' | 'parameters'> {
  /** `[1]` if absent. */
  readonly versions?: readonly number[];
  /** Credential type. */
  readonly credential: string;
  readonly differs?: readonly string[];
}

/** A sub-node that provides a language model. @param kind the name without its prefix */
export const modelKind = (
  kind: string,
  { credential, versions = [1], differs = [], ...rest }: ModelKind,
): KindDescriptor => ({
  kind: `langchain.${kind}`,
  versions,
  groups: ['transform'],
  isTrigger: false,
  inputs: [],
  outputs: [],
  provides: [{ type: 'ai_languageModel' }],
  credentials: [{ type: credential, required: true }],
  differs: [...DIFFERS, ...differs],
  ...rest,
});
