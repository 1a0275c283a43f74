import { runTest } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';

const split = async (kind: string, text: string, parameters: JsonObject): Promise<readonly string[]> => {
  let parts: readonly string[] = [];
  const { outcome } = await runTest({
    nodes: [
      ['Root', 'root'],
      ['Splitter', 'splitter', { type: `@n8n/n8n-nodes-langchain.textSplitter${kind}`, parameters }],
    ],
    links: ['Splitter>Root@ai_textSplitter'],
    executors: {
      root: async (context) => {
        const [supplied] = await context.attached('ai_textSplitter', 0);
        parts = (await supplied?.handle.split(text)) ?? [];
        return { kind: 'items', outputs: [[{ json: {} }]] };
      },
    },
    registry: NODE_REGISTRY,
    kinds: KIND_TABLE,
  });
  if (outcome.kind === 'error') throw new Error(outcome.error.message);
  return parts;
};

describe('text splitters', () => {
  it('split between paragraphs where they can', async () => {
    const sizes = { chunkSize: 12, chunkOverlap: 0 };
    expect(await split('RecursiveCharacterTextSplitter', 'one two\n\nthree four', sizes)).toEqual([
      'one two',
      'three four',
    ]);
  });

  it('split Markdown before its headings', async () => {
    const parameters = { chunkSize: 20, options: { splitCode: 'markdown' } };
    expect(await split('RecursiveCharacterTextSplitter', 'a b c\nd e f\n## Head\nx y z', parameters)).toEqual([
      'a b c\nd e f',
      '## Head\nx y z',
    ]);
  });

  it('split at a separator, and repeat as much as the overlap allows', async () => {
    const parameters = { separator: ',', chunkSize: 5, chunkOverlap: 2 };
    expect(await split('CharacterTextSplitter', 'aa,bb,cc,longer piece', parameters)).toEqual([
      'aa,bb',
      'bb,cc',
      'longer piece',
    ]);
  });

  it('split between characters without a separator', async () => {
    expect(await split('CharacterTextSplitter', 'abcdefg', { chunkSize: 3, chunkOverlap: 1 })).toEqual([
      'abc',
      'cde',
      'efg',
    ]);
  });

  it('take a token as four characters', async () => {
    expect(await split('TokenSplitter', 'aaaa bbbb cccc', { chunkSize: 3 })).toEqual(['aaaa bbbb', 'cccc']);
  });

  it.each([
    [{ chunkSize: 0 }, '"Chunk size" of "Splitter" must be at least 1'],
    [{ chunkSize: 10, chunkOverlap: 10 }, '"Chunk overlap" of "Splitter" must be from 0 to less'],
    [{ chunkSize: 1 }, 'more than 10000 parts'],
  ])('refuse %j', async (parameters, message) => {
    await expect(split('RecursiveCharacterTextSplitter', 'a'.repeat(20_000), parameters)).rejects.toThrow(message);
  });
});
