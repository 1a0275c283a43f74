import { ThreadTurns } from '../thread-turns';
import { parseJson } from './parse-json';
import { parseLongJson, SHORT_BYTES } from './parse-long-json';

const MIB = 1024 * 1024;
const listOf = (bytes: number): Buffer => Buffer.from(`[${'"abcdef",'.repeat(bytes / 9)}"e"]`);

describe('long untrusted JSON', () => {
  let turns = 0;
  const takeTurn = (): Promise<void> => {
    turns += 1;
    return Promise.resolve();
  };
  beforeEach(() => {
    turns = 0;
  });

  it('is parsed like any JSON, with a yield for each part, for its value and for checking it', async () => {
    const long = listOf(3.5 * MIB);
    expect(await parseLongJson(long, takeTurn)).toEqual(parseJson(long));
    expect(turns).toBe(6);
  });

  it('does not yield if it is short', async () => {
    expect(await parseLongJson(Buffer.from('{"a":1}'), takeTurn)).toEqual({ a: 1 });
    await parseLongJson(listOf(SHORT_BYTES - 100), takeTurn);
    expect(turns).toBe(0);
  });

  it.each([
    ['a key __proto__', `[${' '.repeat(2 * MIB)}{"__proto__":1}]`, 'A key is not allowed.'],
    ['a number that is infinite', `[${' '.repeat(2 * MIB)}1e999]`, 'A number is too large.'],
    ['too many levels', `[${' '.repeat(2 * MIB)}${'['.repeat(100)}${']'.repeat(101)}`, 'The JSON is too complex.'],
    ['no end', `[${' '.repeat(2 * MIB)}`, 'The body is not valid JSON.'],
    ['too many bytes', ' '.repeat(10_000_001), 'The body has more than 10000000 bytes.'],
  ])('is refused for %s, wherever that is', async (_, text, message) => {
    await expect(parseLongJson(Buffer.from(text), takeTurn)).rejects.toThrow(message);
  });

  it('reads a string, an escape and a number across a part boundary', async () => {
    for (let before = MIB - 12; before <= MIB; before += 1) {
      const text = `["${'x'.repeat(before)}\\"[[",-1.25e+2,{"k":"v"}]`;
      expect(await parseLongJson(Buffer.from(text), takeTurn)).toEqual([`${'x'.repeat(before)}"[[`, -125, { k: 'v' }]);
    }
  });

  it('is parsed for another owner after two parts at most, however much one owner sends', async () => {
    const thread = new ThreadTurns();
    const ended: string[] = [];
    const parse = async (owner: string): Promise<void> => {
      await parseLongJson(listOf(MIB / 2), () => thread.take(owner, 'workflow'));
      ended.push(owner);
    };
    const flood = Array.from({ length: 20 }, () => parse('hostile'));
    await parse('healthy');
    expect(ended).toEqual(['healthy']);
    await Promise.all(flood);
  });
});
