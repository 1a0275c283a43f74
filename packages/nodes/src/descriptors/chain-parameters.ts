import type { AcceptedAttachment, ParameterDescriptor } from '@weft/node-catalogue';
import { choice } from './build-parameters';

/** The model that a chain calls. */
export const MODEL: AcceptedAttachment = { type: 'ai_languageModel', label: 'Model', required: true, max: 1 };

/** How many items are worked on at once. */
export const batching = (since: number): ParameterDescriptor => ({
  name: 'batching',
  label: 'Batches',
  type: 'collection',
  default: {},
  since,
  fields: [
    { name: 'batchSize', label: 'Batch size', type: 'number', default: 5 },
    { name: 'delayBetweenBatches', label: 'Delay between batches (ms)', type: 'number', default: 0 },
  ],
});

/** Help for `batching`. @param prefix path of the collection that it is in, with a dot */
export const batchingHelp = (prefix = ''): Readonly<Record<string, string>> => ({
  [`${prefix}batching`]:
    'Items of a batch are worked on at the same time. The results of a batch are stored before the next one.',
  [`${prefix}batching.batchSize`]: 'Number of items, at most 100. At most 10 calls are made at once.',
  [`${prefix}batching.delayBetweenBatches`]: 'Milliseconds, at most an hour.',
});

/** The text that tells a model what to do. */
export const systemPrompt = (initial: string): ParameterDescriptor => ({
  name: 'systemPromptTemplate',
  label: 'System prompt',
  type: 'string',
  editor: 'multiline',
  default: initial,
});

/**
 * Where the prompt of a chain comes from. @param since version of the parameter
 * @param plainSince version from which there is no choice of the guardrails' field
 */
export function promptType(since: number, plainSince: number): readonly ParameterDescriptor[] {
  const [chat, defined] = [choice('auto', 'Field chatInput'), choice('define', 'Defined below')];
  const base = { name: 'promptType', label: 'Prompt from', type: 'options', default: 'auto' } as const;
  const guardrails = choice('guardrails', 'Field guardrailsInput');
  const until = Math.round((plainSince - 0.1) * 10) / 10;
  return [
    { ...base, since, until, options: [chat, guardrails, defined] },
    { ...base, since: plainSince, options: [chat, defined] },
  ];
}
