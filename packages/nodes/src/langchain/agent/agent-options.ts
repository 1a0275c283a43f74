import { type BinaryReference, type NodeContext, NodeFailure } from '@weft/engine';
import type { ContentPart, UserMessage } from '@weft/models';
import { booleanField, isJsonObject, numberField, textField } from '@weft/node-catalogue';
import { fileContent } from '../shared/file-content';
import { showsOnlyMessages } from '../chat/transcript';

/** Bounds of `maxIterations`. */
const ITERATIONS = { initial: 10, max: 50 } as const;
/** The system message of versions before 1.9 if the node has none; later versions then send none. */
const SYSTEM_MESSAGE = { text: 'You are a helpful assistant', until: 1.9 } as const;
/** Files of one item that are passed on to the model, and their bytes together. */
const FILES = { max: 20, bytes: 20_000_000 } as const;

/** Parameters of an agent for one item. */
export interface AgentOptions {
  readonly prompt: string;
  /** Empty: none. */
  readonly systemMessage: string;
  readonly maxIterations: number;
  readonly returnsSteps: boolean;
  readonly hasParser: boolean;
  readonly hasFallback: boolean;
  readonly passesImages: boolean;
  readonly passesPdfs: boolean;
  /** Readers of the run see the answers of the model while it writes them. */
  readonly streams: boolean;
}

/** Agents of earlier versions do not stream. */
const STREAMS_SINCE = 2.1;

/** Reads the parameters for an item. @throws NodeFailure if the prompt is empty */
export function readAgentOptions(context: NodeContext, itemIndex: number): AgentOptions {
  const options = context.parameter('options', itemIndex);
  const prompt = promptOf(context, itemIndex);
  const text =
    typeof prompt === 'string' ? prompt : prompt === undefined || prompt === null ? '' : JSON.stringify(prompt);
  if (text.trim() === '')
    throw new NodeFailure('The prompt is empty for this item', {
      itemIndex,
      description: 'Set the prompt, or connect a node whose items have the field "chatInput".',
    });
  return {
    prompt: text,
    systemMessage:
      textField(options, 'systemMessage') ?? (context.version < SYSTEM_MESSAGE.until ? SYSTEM_MESSAGE.text : ''),
    maxIterations: clamp(numberField(options, 'maxIterations') ?? ITERATIONS.initial),
    returnsSteps: booleanField(options, 'returnIntermediateSteps') ?? false,
    hasParser: context.parameter('hasOutputParser', itemIndex) === true,
    hasFallback: context.parameter('needsFallback', itemIndex) === true,
    passesImages: booleanField(options, 'passthroughBinaryImages') ?? true,
    passesPdfs: booleanField(options, 'passthroughBinaryPdfs') ?? false,
    // As a tool, its answer is for the agent that calls it; in some chats it is for the node that sends messages.
    streams:
      context.version >= STREAMS_SINCE &&
      context.toolCall === undefined &&
      !showsOnlyMessages(context.runMemory) &&
      booleanField(options, 'enableStreaming') !== false,
  };
}

/** The field that the trigger gives, or the parameter. */
function promptOf(context: NodeContext, itemIndex: number): unknown {
  // As a tool it has no other source.
  if (context.toolCall !== undefined) return context.parameter('text', itemIndex);
  const json = context.items[itemIndex]?.json;
  switch (context.parameter('promptType', itemIndex)) {
    case 'auto':
      return json?.['chatInput'];
    case 'guardrails':
      return json?.['guardrailsInput'];
    default:
      return context.parameter('text', itemIndex);
  }
}

/** Number of items that are handled at the same time, and the pause after them in milliseconds. */
export function readBatching(context: NodeContext): { readonly size: number; readonly delayMs: number } {
  const options = context.parameter('options', 0);
  const batching = isJsonObject(options) ? options['batching'] : undefined;
  return {
    size: Math.max(1, Math.min(100, Math.floor(numberField(batching, 'batchSize') ?? 1))),
    delayMs: Math.max(0, Math.min(60_000, numberField(batching, 'delayBetweenBatches') ?? 0)),
  };
}

const clamp = (iterations: number): number =>
  Math.max(1, Math.min(ITERATIONS.max, Math.floor(Number.isFinite(iterations) ? iterations : ITERATIONS.initial)));

/** The message of the user, with the files of the item that the options pass on. */
export async function userMessage(
  context: NodeContext,
  { prompt, passesImages, passesPdfs }: AgentOptions,
  itemIndex: number,
): Promise<UserMessage> {
  const binary = Object.values(context.items[itemIndex]?.binary ?? {});
  const wanted = binary.filter(
    ({ mimeType }) => (passesImages && mimeType.startsWith('image/')) || (passesPdfs && mimeType === 'application/pdf'),
  );
  if (wanted.length === 0) return { role: 'user', content: prompt };
  if (wanted.length > FILES.max)
    throw new NodeFailure(`The item has ${wanted.length} files for the model; at most ${FILES.max} are sent`, {
      itemIndex,
    });
  const files = await readFiles(context, wanted, itemIndex);
  return { role: 'user', content: [{ type: 'text', text: prompt }, ...files] };
}

async function readFiles(
  context: NodeContext,
  references: readonly BinaryReference[],
  itemIndex: number,
): Promise<ContentPart[]> {
  const parts: ContentPart[] = [];
  let bytes = 0;
  for (const reference of references) {
    const content = await context.ports.files.read(reference);
    bytes += content.length;
    if (bytes > FILES.bytes)
      throw new NodeFailure(`The files of the item have more than ${FILES.bytes} bytes, too many for a model`, {
        itemIndex,
      });
    parts.push(fileContent(reference, content));
  }
  return parts;
}
