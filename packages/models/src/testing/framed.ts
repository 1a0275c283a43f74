import type { ModelFormat } from '../chat-model';
import type { WrittenEvent } from './script';

/** Events in the framing of the format. */
export const framed = (format: ModelFormat, events: readonly WrittenEvent[]): string =>
  events
    .map(({ event, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      if (format === 'ollama') return `${text}\n`;
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
    })
    .join('');
