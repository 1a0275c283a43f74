import type { StreamedText, TextStream, TextStreams } from '@weft/engine';
import type { Delta } from '@weft/proto/events';

/** Sends the parts of the text of a run to its readers: nothing depends on their arrival. */
export type SendDeltas = (executionId: string, deltas: readonly Delta[]) => void;

/** The text that the runs of this process stream. */
export interface RunTexts {
  readonly of: (claim: { readonly executionId: string; readonly fence: number }) => TextStreams;
}

/** Dependencies of streaming text. */
export interface RunTextsOptions {
  readonly isFollowed: (executionId: string) => boolean;
  readonly send: SendDeltas;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Shortest time between two messages of one run. The first part of a text waits for nothing. */
const EVERY_MS = 25;
/** Maximum characters of one message. */
const MAX_CHARACTERS = 16_384;
/** Maximum characters of one text that wait to be sent; readers miss those beyond. */
const MAX_PENDING = 262_144;
/** Maximum number of streams of one run that are open at the same time. */
const MAX_OPEN = 64;
/** Characters that all runs of this process may send in a second. */
const PROCESS_RATE = 2_000_000;

interface OpenText {
  readonly head: Pick<Delta, 'node' | 'nodeId' | 'run' | 'item' | 'attempt' | 'number'>;
  pending: string;
  /** Characters before those that are pending. */
  offset: number;
  hasBegun: boolean;
  hasEnded: boolean;
}

/** A rate of characters that all runs share. */
const createBudget = (rate: number, clock: () => number) => {
  let left = rate;
  let at = clock();
  return (characters: number): boolean => {
    const now = clock();
    left = Math.min(rate, left + ((now - at) / 1_000) * rate);
    at = now;
    if (left < characters) return false;
    left -= characters;
    return true;
  };
};

/** The next part of a text, at most `limit` characters, and without half of a surrogate pair at its end. */
const takePart = (text: OpenText, limit: number): Delta => {
  let length = Math.min(limit, text.pending.length);
  const last = text.pending.charCodeAt(length - 1);
  if (length < text.pending.length && last >= 0xd8_00 && last <= 0xdb_ff) length -= 1;
  const part = text.pending.slice(0, length);
  const offset = text.offset;
  text.pending = text.pending.slice(length);
  text.offset += length;
  text.hasBegun = true;
  return { ...text.head, offset, text: part, ends: text.hasEnded && text.pending === '' };
};

const isDue = ({ pending, hasBegun, hasEnded }: OpenText): boolean => pending !== '' || hasEnded || !hasBegun;

/** Streams the text of runs that are followed. Others cost one look-up for each text. */
export const createRunTexts = ({ isFollowed, send, clock }: RunTextsOptions): RunTexts => {
  const takeBudget = createBudget(PROCESS_RATE, clock);
  return {
    of: ({ executionId, fence }) => {
      const open = new Set<OpenText>();
      let opened = 0;
      let sentAt = Number.NEGATIVE_INFINITY;
      let timer: NodeJS.Timeout | undefined;

      const sendNow = (): void => {
        const characters = [...open].reduce((sum, { pending }) => sum + pending.length, 0);
        if (!takeBudget(Math.min(characters, MAX_CHARACTERS))) return sendLater(EVERY_MS);
        sentAt = clock();
        const deltas: Delta[] = [];
        let left = MAX_CHARACTERS;
        for (const text of [...open]) {
          if (!isDue(text)) continue;
          if (left <= 1) break;
          const delta = takePart(text, left);
          left -= delta.text.length;
          deltas.push(delta);
          open.delete(text);
          // The others have the first places of the next message.
          if (!delta.ends) open.add(text);
          if (deltas.length >= MAX_OPEN) break;
        }
        if (deltas.length > 0 && isFollowed(executionId)) send(executionId, deltas);
        if ([...open].some(isDue)) sendLater(EVERY_MS);
      };
      const sendLater = (ms: number): void => {
        timer = setTimeout(() => {
          timer = undefined;
          sendNow();
        }, ms);
        timer.unref();
      };
      const schedule = (): void => {
        if (timer !== undefined) return;
        const waitMs = EVERY_MS - (clock() - sentAt);
        if (waitMs <= 0) sendNow();
        else sendLater(waitMs);
      };
      const streamOf = (text: OpenText): TextStream => ({
        write: (part) => {
          if (text.hasEnded || part === '') return;
          const room = MAX_PENDING - text.pending.length;
          if (room < part.length) {
            text.offset += text.pending.length + part.length;
            text.pending = '';
          } else text.pending += part;
          schedule();
        },
        end: () => {
          text.hasEnded = true;
          schedule();
        },
      });
      return {
        open: ({ node, nodeId, run, itemIndex }: StreamedText) => {
          if (open.size >= MAX_OPEN || !isFollowed(executionId)) return undefined;
          const text: OpenText = {
            head: { node, nodeId, run, item: itemIndex, attempt: fence, number: opened },
            pending: '',
            offset: 0,
            hasBegun: false,
            hasEnded: false,
          };
          opened += 1;
          open.add(text);
          return streamOf(text);
        },
      };
    },
  };
};
