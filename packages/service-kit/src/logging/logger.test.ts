import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

describe('the log of a process', () => {
  it.each(['', 'process.exit();'])('has all lines when the process ends by "%s"', (end) => {
    const script = `const { createLogger } = require(${JSON.stringify(join(__dirname, 'logger.js'))});
      const logger = createLogger('test', 'info');
      for (let line = 0; line < 200; line += 1) logger.info({ line }, 'text');
      ${end}`;
    const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(stdout.trimEnd().split('\n')).toHaveLength(200);
  });

  it('has the lines that were written while an earlier block was on its way', () => {
    const script = `const { createLogger } = require(${JSON.stringify(join(__dirname, 'logger.js'))});
      const logger = createLogger('test', 'info');
      for (let line = 0; line < 200; line += 1) logger.info({ line }, 'text');
      setTimeout(() => logger.info({ line: 200 }, 'text'), 20);`;
    for (let run = 0; run < 5; run += 1) {
      const { stdout } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
      expect(stdout.trimEnd().split('\n')).toHaveLength(201);
    }
  });
});
