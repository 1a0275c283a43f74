import { closeAfterEach } from './close-after-each';

describe('what a test opens in its body', () => {
  const log: string[] = [];
  const later = closeAfterEach();

  it('stays open until the test is over', async () => {
    const [first, second] = ['first', 'second'].map((name) => later(name, (one) => log.push(one)));
    later('slow', async (name) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      log.push(name);
    });
    expect([first, second, log]).toEqual(['first', 'second', []]);
  });

  it('is closed after it, once, the last opened first', () => {
    expect(log).toEqual(['slow', 'second', 'first']);
  });
});
