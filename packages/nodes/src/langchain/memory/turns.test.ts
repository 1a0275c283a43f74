import type { MemoryMessage } from '@weft/engine';
import { lastTurns, newestThatFit, withoutLooseCalls } from './turns';

const user = (content: string): MemoryMessage => ({ role: 'user', content });
const answer = (content: string): MemoryMessage => ({ role: 'assistant', content });
const call = (...ids: string[]): MemoryMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 't', input: {} })),
});
const result = (toolCallId: string): MemoryMessage => ({ role: 'tool', toolCallId, toolName: 't', content: 'r' });

describe('the last turns of a conversation', () => {
  const messages = [user('1'), call('a'), result('a'), answer('2'), user('3'), answer('4')];

  it('begin with a message of the user and have all that follows it', () => {
    expect(lastTurns(messages, 1)).toEqual(messages.slice(4));
    expect(lastTurns(messages, 2)).toEqual(messages);
  });

  it.each([undefined, 0])('are all messages for a window of %s', (count) => {
    expect(lastTurns(messages, count)).toEqual(messages);
  });
});

describe('the newest messages that fit', () => {
  const messages = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? user(`${at}`) : answer(`${at}`)));

  it('are bounded by number and begin with a message of the user', () => {
    expect(newestThatFit(messages, { messages: 5, bytes: 1e6 })).toEqual(messages.slice(6));
  });

  it('are bounded by bytes', () => {
    const bytes = 2 * (JSON.stringify(messages[9]).length + 1) + 10;
    expect(newestThatFit(messages, { messages: 10, bytes })).toEqual(messages.slice(8));
  });
});

describe('messages without loose calls', () => {
  it('have no call without a result and no result without a call', () => {
    const good = [user('1'), call('a', 'b'), result('b'), result('a'), answer('2')];
    expect(withoutLooseCalls([result('z'), ...good, call('c'), user('3'), call('d', 'e'), result('d')])).toEqual([
      ...good,
      user('3'),
    ]);
  });

  it('keep what the model said with a call that has no result', () => {
    expect(withoutLooseCalls([{ ...call('a'), content: 'Wait.' }])).toEqual([answer('Wait.')]);
  });
});
