import type { Delta } from '@weft/proto/events';
import { isObject } from '@weft/service-kit/json';

/** Place of a text in the run, as in n8n's chunks. */
interface ChunkMetadata {
  readonly nodeId: string;
  readonly nodeName: string;
  readonly itemIndex: number;
  readonly runIndex: number;
}

interface SentText {
  readonly metadata: ChunkMetadata;
  readonly attempt: number;
  readonly number: number;
  sent: string;
  hasEnded: boolean;
  /** Parts are missing: the rest comes with the response of the run. */
  isLost: boolean;
}

/** The lines of one streamed response. Each method returns complete lines, or an empty string. */
export interface ChunkLines {
  readonly ofDelta: (delta: Delta) => string;
  /** Completes what is missing with the response of a run: lines of a streaming run, or text of a Respond node. */
  readonly ofResponse: (body: string, isLines: boolean) => string;
  readonly ofError: (message: string) => string;
}

/** Sent text that is compared with the response, of one call; text beyond are completed with the response. */
const MAX_SENT = 8_000_000;
/** Texts of one call; parts of later ones are not sent. */
const MAX_TEXTS = 1_000;

const NOWHERE: ChunkMetadata = { nodeId: '', nodeName: '', itemIndex: 0, runIndex: 0 };

const lineOf = (chunk: object): string => `${JSON.stringify(chunk)}\n`;

const keyOf = ({ nodeName, runIndex, itemIndex }: ChunkMetadata): string => `${runIndex} ${itemIndex} ${nodeName}`;

const metadataIn = (value: unknown): ChunkMetadata => {
  if (!isObject(value)) return NOWHERE;
  const { nodeId, nodeName, itemIndex, runIndex } = value;
  return {
    nodeId: typeof nodeId === 'string' ? nodeId : '',
    nodeName: typeof nodeName === 'string' ? nodeName : '',
    itemIndex: typeof itemIndex === 'number' ? itemIndex : 0,
    runIndex: typeof runIndex === 'number' ? runIndex : 0,
  };
};

/** Writes chunks in the form of n8n. @param now Unix milliseconds */
export const createChunkLines = (now: () => number): ChunkLines => {
  const texts = new Map<string, SentText>();
  let sent = 0;
  const begin = (metadata: ChunkMetadata): string =>
    lineOf({ type: 'begin', metadata: { ...metadata, timestamp: now() } });
  const item = (metadata: ChunkMetadata, content: string): string =>
    content === '' ? '' : lineOf({ type: 'item', content, metadata: { ...metadata, timestamp: now() } });
  const end = (metadata: ChunkMetadata): string => lineOf({ type: 'end', metadata: { ...metadata, timestamp: now() } });

  const endOpen = (text: SentText | undefined): string => {
    if (text === undefined || text.hasEnded) return '';
    text.hasEnded = true;
    return end(text.metadata);
  };
  const whole = (metadata: ChunkMetadata, content: string): string =>
    `${begin(metadata)}${item(metadata, content)}${end(metadata)}`;
  const isComplete = (text: SentText): boolean => text.hasEnded && text.sent !== '';
  /** The rest of a text that the response gives, or all of it if something else was sent before. */
  const complete = (metadata: ChunkMetadata, content: string): string => {
    const text = texts.get(keyOf(metadata));
    if (text === undefined || text.hasEnded)
      return [...texts.values()].some(isComplete) ? '' : whole(metadata, content);
    const isStart = content.startsWith(text.sent);
    const rest = isStart ? item(metadata, content.slice(text.sent.length)) : '';
    return `${rest}${endOpen(text)}${isStart ? '' : whole(metadata, content)}`;
  };
  const ofLine = (line: string): string => {
    const chunk: unknown = JSON.parse(line);
    if (!isObject(chunk)) return '';
    const { type, content, metadata } = chunk;
    if (type === 'error') return `${line}\n`;
    return type === 'item' && typeof content === 'string' ? complete(metadataIn(metadata), content) : '';
  };
  return {
    ofDelta: ({ node, nodeId, run, item: itemIndex, attempt, number, offset, text: part, ends }) => {
      const metadata = { nodeId, nodeName: node, itemIndex, runIndex: run };
      const key = keyOf(metadata);
      const known = texts.get(key);
      let lines = '';
      let text = known;
      if (text === undefined || attempt > text.attempt || (attempt === text.attempt && number > text.number)) {
        if (known === undefined && texts.size >= MAX_TEXTS) return '';
        text = { metadata, attempt, number, sent: '', hasEnded: false, isLost: false };
        lines = `${endOpen(known)}${begin(metadata)}`;
        texts.set(key, text);
      } else if (attempt !== text.attempt || number !== text.number) return '';
      if (text.hasEnded) return lines;
      text.isLost ||= offset > text.sent.length || sent + part.length > MAX_SENT;
      if (text.isLost) return lines;
      const added = part.slice(text.sent.length - offset);
      text.sent += added;
      sent += added.length;
      return `${lines}${item(metadata, added)}${ends ? endOpen(text) : ''}`;
    },
    ofResponse: (body, isLines) => {
      const isAllSent = [...texts.values()].some(isComplete) && [...texts.values()].every(({ hasEnded }) => hasEnded);
      const lines = isLines
        ? body
            .split('\n')
            .filter((line) => line !== '')
            .map(ofLine)
        : [isAllSent || body === '' ? '' : whole(NOWHERE, body)];
      return `${lines.join('')}${[...texts.values()].map(endOpen).join('')}`;
    },
    ofError: (message) => lineOf({ type: 'error', content: message, metadata: { ...NOWHERE, timestamp: now() } }),
  };
};
