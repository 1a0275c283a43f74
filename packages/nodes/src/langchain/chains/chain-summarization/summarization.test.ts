import { jsonOf } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { type RootRun, runRoot } from '../../testing/run-root';
import { promptOf } from '../../testing/scripted-model';
import { splitText } from '../../shared/split-text';

const run = (item: JsonObject, parameters: JsonObject = {}, over: Partial<RootRun> = {}) =>
  runRoot({
    kind: 'chainSummarization',
    items: [item],
    models: [{ answers: (_call, index) => `s${index}` }],
    parameters,
    ...over,
  });
const method = (summarizationMethod: string, prompts: JsonObject = {}) => ({
  options: { summarizationMethodAndPrompts: { values: { summarizationMethod, ...prompts } } },
});
const words = (count: number): string => Array.from({ length: count }, (_, n) => `word${n}`).join(' ');

describe('a short text', () => {
  it.each([
    [2.1, {}, { output: { text: 's0' } }],
    [2.1, { options: { batching: { batchSize: 1 } } }, { response: { text: 's0' } }],
    [2, {}, { response: { text: 's0' } }],
    [2.1, method('stuff'), { output: { text: 's0' } }],
    [2.1, method('refine'), { output: { output_text: 's0' } }],
  ])('is summarized by one call in version %s with %j', async (version, parameters, json) => {
    const result = await run({ t: 'Hello' }, parameters, { version });
    expect(jsonOf(result, 'Root')).toEqual([json]);
    expect(result.models[0]?.calls.map(promptOf)).toEqual([expect.stringContaining('Hello')]);
  });

  it('is all strings of the item, whatever they contain', async () => {
    const prompts = method('stuff', { prompt: 'Sum: {text}' });
    const result = await run({ a: 'one', n: 5, b: { c: ['{text}', '{{ 1 }}'] } }, prompts);
    expect(result.models[0]?.calls.map(promptOf)).toEqual(['Sum: one\n\n{text}\n\n{{ 1 }}']);
  });
});

describe('a long text', () => {
  it('is summarized in parts, and then the summaries', async () => {
    const result = await run(
      { t: words(3_000) },
      method('map_reduce', { combineMapPrompt: 'P {text}', prompt: 'L {text}' }),
    );
    const prompts = result.models[0]?.calls.map(promptOf) ?? [];
    expect(prompts.length).toBeGreaterThan(10);
    expect(prompts.slice(0, -1).every((one) => one.startsWith('P ') && one.length <= 1_002)).toBe(true);
    expect(prompts.at(-1)).toMatch(/^L s\d+\n\ns\d+/);
  });

  it('is summarized part by part by improving the summary', async () => {
    const prompts = method('refine', { refineQuestionPrompt: 'F {text}', refinePrompt: 'N {existing_answer}: {text}' });
    const result = await run({ t: words(300) }, prompts);
    const calls = result.models[0]?.calls.map(promptOf) ?? [];
    expect(calls[0]).toMatch(/^F word0 /);
    expect(calls[1]).toMatch(/^N s0: /);
    expect(jsonOf(result, 'Root')).toEqual([{ output: { output_text: `s${calls.length - 1}` } }]);
  });
});

describe('the chain', () => {
  it.each([
    [{ n: 1 }, {}, 'There is no text to summarize'],
    [{ t: 'x' }, { chunkSize: 10, chunkOverlap: 10 }, 'The field "Overlap" must be at least 0 and less than'],
    [{ t: 'x' }, { chunkSize: 0 }, 'The field "Characters of a part" must be at least 1'],
    [{ t: 'x' }, { operationMode: 'nodeInputBinary' }, "a binary file 'data', but none was found"],
    [{ t: 'x'.repeat(5_000_000) }, {}, 'The text has 5000000 characters; at most 4194304'],
    [{ t: 'x'.repeat(100_000) }, { chunkSize: 2, chunkOverlap: 1 }, 'The text has more than 10000 parts'],
  ])('refuses %# with a sentence before a call', async (item, parameters, message) => {
    const result = await run(item, parameters);
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining(message) } });
    expect(result.models[0]?.calls).toHaveLength(0);
  });
});

describe('splitting a text', () => {
  const parts = (text: string, size: number, overlap = 0): string[] => splitText(text, { size, overlap });

  it('prefers paragraphs, then lines, words and characters', () => {
    expect(parts('one two\n\nthree four', 12)).toEqual(['one two', 'three four']);
    expect(parts('one two\nthree four', 12)).toEqual(['one two', 'three four']);
    expect(parts('one two three', 8)).toEqual(['one two', 'three']);
    expect(parts('abcdefgh', 3)).toEqual(['abc', 'def', 'gh']);
  });

  it('repeats the end of a part as far as the overlap allows', () => {
    expect(parts('a b c d e f', 5, 3)).toEqual(['a b c', 'c d', 'd e', 'e f']);
  });

  it('keeps all words, and no part is longer than the size', () => {
    const text = words(500).replaceAll('word7', '\n\nword7');
    const all = parts(text, 100, 20);
    expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(100);
    expect(new Set(all.join(' ').split(/\s+/))).toEqual(new Set(text.split(/\s+/)));
  });

  it('does not cut characters in halves', () => {
    expect(parts('😀😀😀', 2)).toEqual(['😀', '😀', '😀']);
  });
});
