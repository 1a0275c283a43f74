import type { MemoryMessage } from '@weft/engine';

/** Bounds of the messages of one conversation, in number and in bytes as JSON. */
export interface ConversationBounds {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * The last turns of a conversation; a turn begins with a message of the user.
 * @param count undefined or 0: all
 */
export function lastTurns(messages: readonly MemoryMessage[], count: number | undefined): readonly MemoryMessage[] {
  const turns = Math.floor(Math.abs(count ?? 0));
  if (turns === 0) return messages;
  const starts = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
  return messages.slice(starts.at(-turns) ?? 0);
}

/** The newest messages that fit, from the beginning of a turn on. */
export function newestThatFit(messages: readonly MemoryMessage[], bounds: ConversationBounds): MemoryMessage[] {
  let bytes = 0;
  let first = messages.length;
  while (first > 0 && messages.length - first < bounds.messages) {
    bytes += Buffer.byteLength(JSON.stringify(messages[first - 1])) + 1;
    if (bytes > bounds.bytes) break;
    first -= 1;
  }
  const kept = messages.slice(first);
  const start = kept.findIndex(({ role }) => role === 'user');
  return first === 0 || start < 0 ? kept : kept.slice(start);
}

/** Leaves out calls of tools without results, and results without calls: services refuse both. */
export function withoutLooseCalls(messages: readonly MemoryMessage[]): MemoryMessage[] {
  const kept: MemoryMessage[] = [];
  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (message === undefined || message.role === 'tool') continue;
    if (message.role !== 'assistant' || (message.toolCalls ?? []).length === 0) {
      kept.push(message);
      continue;
    }
    const results = resultsAfter(messages, at);
    const ids = new Set(results.map(({ toolCallId }) => toolCallId));
    if (message.toolCalls?.every(({ id }) => ids.has(id)) === true) kept.push(message, ...results);
    else if (message.content !== '') {
      const { toolCalls: _calls, ...words } = message;
      kept.push(words);
    }
  }
  return kept;
}

function resultsAfter(messages: readonly MemoryMessage[], at: number) {
  const [call, ...rest] = messages.slice(at);
  const calls = call?.role === 'assistant' ? (call.toolCalls ?? []) : [];
  const end = rest.findIndex(({ role }) => role !== 'tool');
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .flatMap((one) => (one.role === 'tool' && calls.some(({ id }) => id === one.toolCallId) ? [one] : []));
}
