import type { MemoryMessage } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { constructorJson, fromStoredMessage, toStoredMessage } from './stored-message';

const rest = { additional_kwargs: {}, response_metadata: {} };

/** Messages as n8n 2.41.1 writes them, and as a memory gives them. */
const STORED: readonly (readonly [string, JsonObject, MemoryMessage])[] = [
  ['a message of the user', { type: 'human', data: { content: 'hi', ...rest } }, { role: 'user', content: 'hi' }],
  [
    'an answer',
    { type: 'ai', data: { content: 'yo', tool_calls: [], invalid_tool_calls: [], ...rest } },
    { role: 'assistant', content: 'yo' },
  ],
  ['a system message', { type: 'system', data: { content: 's', ...rest } }, { role: 'system', content: 's' }],
  [
    'a hidden message',
    { type: 'human', data: { content: 'h', ...rest, additional_kwargs: { hideFromUI: true } } },
    { role: 'user', content: 'h', isHidden: true },
  ],
  [
    'calls of tools',
    {
      type: 'ai',
      data: {
        content: 'Calling x',
        tool_calls: [{ id: 'a', name: 'x', args: { b: 1 }, type: 'tool_call' }],
        invalid_tool_calls: [],
        ...rest,
      },
    },
    { role: 'assistant', content: 'Calling x', toolCalls: [{ id: 'a', name: 'x', input: { b: 1 } }] },
  ],
  [
    'a result of a tool',
    { type: 'tool', data: { content: 'obs', tool_call_id: 'a', name: 'x', ...rest } },
    { role: 'tool', toolCallId: 'a', toolName: 'x', content: 'obs' },
  ],
  [
    'an image',
    {
      type: 'human',
      data: {
        content: [
          { type: 'text', text: 'q' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
        ...rest,
      },
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'q' },
        { type: 'file', mimeType: 'image/png', data: 'AAAA' },
      ],
    },
  ],
];

describe('a stored message', () => {
  it.each(STORED)('that is %s is read, and written as n8n writes it', (_name, stored, message) => {
    expect(fromStoredMessage(stored)).toEqual([message]);
    expect(toStoredMessage(message)).toEqual(stored);
  });

  it('is read from a row of PostgreSQL and in the form of older versions', () => {
    expect(fromStoredMessage({ type: 'ai', content: 'yo', tool_calls: [], ...rest })).toEqual([
      { role: 'assistant', content: 'yo' },
    ]);
    expect(fromStoredMessage({ type: 'human', text: 'hi' })).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it('has the text of the blocks of an answer', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'tool_use', id: 'x' }, 'b'];
    expect(fromStoredMessage({ type: 'ai', data: { content } })).toEqual([{ role: 'assistant', content: 'ab' }]);
  });

  it.each([undefined, null, 1, 'text', [], {}, { type: 'function', data: {} }, { type: 1, data: 2 }])(
    'is left out if it is %j',
    (stored) => {
      expect(fromStoredMessage(stored)).toEqual([]);
    },
  );

  it('is output in the form that chat widgets read', () => {
    expect(constructorJson({ role: 'assistant', content: 'yo' })).toEqual({
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'AIMessage'],
      kwargs: { content: 'yo', tool_calls: [], invalid_tool_calls: [], ...rest },
    });
  });
});
