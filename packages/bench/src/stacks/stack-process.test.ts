import { pathOfShell } from './stack-process';

describe('pathOfShell', () => {
  it('leaves out the Node that was fetched for the bench, and nothing else', () => {
    expect(pathOfShell('/cache/node-24.21.0-linux-x64/.:/usr/bin:/cache/nats:/cache', '/cache')).toBe(
      '/usr/bin:/cache/nats:/cache',
    );
  });
});
