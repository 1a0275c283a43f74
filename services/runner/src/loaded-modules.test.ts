import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

describe('a runner', () => {
  it('loads rarely used drivers only when a node uses one', () => {
    const program = JSON.stringify(join(__dirname, 'server.js'));
    const script = `require(${program}); console.log(Object.keys(require.cache).join("\\n"));`;
    const loaded = execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' });
    expect(loaded).toContain('node_modules/nats/');
    for (const driver of ['mongodb', 'mysql2', 'imapflow']) expect(loaded).not.toContain(`node_modules/${driver}/`);
  });
});
