import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import pino from 'pino';
import { type BlockDestination, inBlocks } from './line-blocks';

/** A destination that writes only when it is told to, and ends a write when the test says so. */
class Collected extends EventEmitter implements BlockDestination {
  readonly blocks: string[] = [];
  #waiting = '';
  #writing = '';

  write(line: string): void {
    this.#waiting += line;
  }

  flush(): void {
    if (this.#writing === '') this.#begin();
  }

  flushSync(): void {
    this.#begin();
  }

  end(): void {
    const bytes = this.#writing.length;
    this.#writing = '';
    this.emit('write', bytes);
    this.emit('drain');
  }

  #begin(): void {
    this.blocks.push(this.#waiting);
    this.#writing = this.#waiting;
    this.#waiting = '';
  }
}

describe('lines of a log', () => {
  const open = () => {
    const destination = new Collected();
    const logger = pino({ base: null, timestamp: false }, inBlocks(destination));
    return { destination, logger, shown: () => destination.blocks.map((block) => block.match(/\w+(?="})/g)) };
  };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('are written together with those of the next 50 ms', () => {
    const { logger, shown } = open();
    logger.info('one');
    jest.advanceTimersByTime(49);
    logger.info('two');
    expect(shown()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(shown()).toEqual([['one', 'two']]);
  });

  it.each(['warn', 'error', 'fatal'] as const)('are written at once from %s on, with all before them', (level) => {
    const { logger, shown } = open();
    logger.info('one');
    logger[level]('two');
    expect(shown()[0]).toEqual(['one', 'two']);
  });

  it('are written at once when the logger is told to', () => {
    const { logger, shown } = open();
    logger.info('one');
    logger.flush();
    expect(shown()).toEqual([['one']]);
  });

  it('that must not wait and come while others are being written follow these at once', () => {
    const { destination, logger, shown } = open();
    logger.info('one');
    logger.flush();
    logger.warn('two');
    logger.info('three');
    logger.flush();
    expect(shown()).toEqual([['one']]);
    destination.end();
    expect(shown()).toEqual([['one'], ['two', 'three']]);
  });

  it('that come while others are being written follow these, and nothing is written when there are none', () => {
    const { destination, logger, shown } = open();
    logger.info('one');
    jest.advanceTimersByTime(50);
    logger.info('two');
    jest.advanceTimersByTime(1_000);
    expect(shown()).toEqual([['one']]);
    destination.end();
    jest.advanceTimersByTime(50);
    expect(shown()).toEqual([['one'], ['two']]);
    destination.end();
    jest.advanceTimersByTime(1_000);
    expect(shown()).toHaveLength(2);
  });

  it.each(['', 'process.exit();'])('are all there when their process ends by "%s"', (end) => {
    const script = `const { createLogger } = require(${JSON.stringify(join(__dirname, 'logger.js'))});
      const logger = createLogger('test', 'info');
      for (let line = 0; line < 200; line += 1) logger.info({ line }, 'text');
      ${end}`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(200);
  });
});
