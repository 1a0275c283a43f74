import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { inBlocks } from './in-blocks';

const open = () => {
  const written: string[] = [];
  let flushes = 0;
  const output = inBlocks({
    write: (text) => void written.push(text),
    flushSync: () => {
      flushes += 1;
    },
  });
  return { output, written, flushes: () => flushes };
};

describe('lines of a log', () => {
  it('are written together within a moment, in order', async () => {
    const { output, written } = open();
    for (const line of ['a\n', 'b\n', 'c\n']) output.write(line);
    expect(written).toEqual([]);
    await sleep(100);
    expect(written).toEqual(['a\nb\nc\n']);
    output.write('d\n');
    await sleep(100);
    expect(written).toEqual(['a\nb\nc\n', 'd\n']);
  });

  it('are written at once when there are many', () => {
    const { output, written } = open();
    for (let line = 0; line < 100; line += 1) output.write(`${'x'.repeat(99)}\n`);
    expect(written.map(({ length }) => length)).toEqual([8_200]);
  });

  it('are written when the process ends', () => {
    const { output, written } = open();
    output.write('last\n');
    process.emit('exit', 0);
    expect(written).toEqual(['last\n']);
  });

  it('are written before a fatal line returns', () => {
    const { output, written, flushes } = open();
    const logger = pino({ base: null, timestamp: false }, output);
    logger.info('first');
    logger.fatal('end');
    expect(written).toEqual(['{"level":30,"msg":"first"}\n{"level":60,"msg":"end"}\n']);
    expect(flushes()).toBe(1);
  });
});
