import { setTimeout } from 'node:timers/promises';
import { closeAfterEach } from './close-after-each';

describe('a resource opened by a test', () => {
  const log: string[] = [];
  const later = closeAfterEach();

  it('stays open until the test ends', async () => {
    const [first, second] = ['first', 'second'].map((name) => later(name, (one) => log.push(one)));
    later('slow', async (name) => {
      await setTimeout(20);
      log.push(name);
    });
    expect([first, second, log]).toEqual(['first', 'second', []]);
  });

  it('is closed once after it, in reverse order', () => {
    expect(log).toEqual(['slow', 'second', 'first']);
  });
});
