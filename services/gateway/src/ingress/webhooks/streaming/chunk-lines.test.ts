import type { Delta } from '@weft/proto/events';
import { createChunkLines } from './chunk-lines';

const part = (offset: number, text: string, rest: Partial<Delta> = {}): Delta => ({
  node: 'Agent',
  nodeId: 'a',
  run: 0,
  item: 0,
  attempt: 1,
  number: 0,
  offset,
  text,
  ends: false,
  ...rest,
});

const METADATA = { nodeId: 'a', nodeName: 'Agent', itemIndex: 0, runIndex: 0, timestamp: 7 };

const chunk = (type: string, content?: string) => ({
  type,
  ...(content === undefined ? {} : { content }),
  metadata: METADATA,
});

/** The response of a run whose agent wrote this text. */
const responseOf = (content: string): string =>
  [chunk('begin'), chunk('item', content), chunk('end')].map((line) => `${JSON.stringify(line)}\n`).join('');

const run = (deltas: readonly Delta[], body: string, isLines = true) => {
  const lines = createChunkLines(() => 7);
  const text = deltas.map(lines.ofDelta).join('') + lines.ofResponse(body, isLines);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));
};

const textOf = (chunks: readonly unknown[]): string =>
  chunks
    .map((one) => (typeof one === 'object' && one !== null && 'content' in one ? String(one.content) : ''))
    .join('');

describe('the lines of a streamed response', () => {
  it('have the fields of chunks of n8n, in their order', () => {
    const lines = createChunkLines(() => 7);
    const at = '"metadata":{"nodeId":"a","nodeName":"Agent","itemIndex":0,"runIndex":0,"timestamp":7}}\n';
    expect(lines.ofDelta(part(0, 'Hi', { ends: true }))).toBe(
      `{"type":"begin",${at}{"type":"item","content":"Hi",${at}{"type":"end",${at}`,
    );
  });

  it('add nothing at the end if all parts have arrived', () => {
    const deltas = [part(0, 'Good '), part(5, 'day', { ends: true })];
    expect(run(deltas, responseOf('Good day'))).toEqual([
      chunk('begin'),
      chunk('item', 'Good '),
      chunk('item', 'day'),
      chunk('end'),
    ]);
  });

  it.each([
    ['none', []],
    ['the first', [part(0, 'Good ')]],
    ['one in the middle missing', [part(0, 'Go'), part(6, 'ay', { ends: true })]],
    ['one twice', [part(0, 'Good '), part(0, 'Good d')]],
    ['only the last', [part(5, 'day', { ends: true })]],
  ])('give the whole text once, whichever parts have arrived: %s', (_name, deltas) => {
    const chunks = run(deltas, responseOf('Good day'));
    expect(textOf(chunks)).toBe('Good day');
    expect([chunks[0], chunks.at(-1)]).toEqual([chunk('begin'), chunk('end')]);
  });

  it('begin again when the run continues at another runner, and ignore what the first still sends', () => {
    const deltas = [
      part(0, 'Good '),
      part(0, 'Hel', { attempt: 2 }),
      part(5, 'day', { ends: true }),
      part(3, 'lo', { attempt: 2, ends: true }),
    ];
    expect(run(deltas, responseOf('Hello'))).toEqual([
      chunk('begin'),
      chunk('item', 'Good '),
      chunk('end'),
      chunk('begin'),
      chunk('item', 'Hel'),
      chunk('item', 'lo'),
      chunk('end'),
    ]);
  });

  it('pass the error of the run on', () => {
    const error = { type: 'error', content: 'Error in workflow', metadata: { nodeId: 'b', nodeName: 'B' } };
    expect(run([part(0, 'Good ')], `${JSON.stringify(error)}\n`)).toEqual([
      chunk('begin'),
      chunk('item', 'Good '),
      error,
      chunk('end'),
    ]);
  });

  it('give the text of a Respond node, unless it was streamed', () => {
    expect(textOf(run([], 'plain', false))).toBe('plain');
    expect(textOf(run([part(0, 'plain', { ends: true })], 'plain', false))).toBe('plain');
  });
});
