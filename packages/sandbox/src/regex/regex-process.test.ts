import { setTimeout } from 'node:timers/promises';
import { until } from '@weft/service-kit/testing';
import { REGEX_MS } from '../pools/limits';
import { RegexProcess } from './regex-process';

describe('the regex process', () => {
  const regex = new RegexProcess(() => undefined);
  afterAll(() => regex.close());

  it('is restarted after it has ended, and still has the text of the previous request', async () => {
    expect(await regex.ask({ pattern: 'b', flags: '', from: 0, text: 'abab' })).toMatchObject({ match: { index: 1 } });
    const first = regex.processId;
    process.kill(first ?? 0, 'SIGKILL');
    await until('the end of the process', () => regex.processId !== first);
    expect(await regex.ask({ pattern: 'b', flags: '', from: 2 })).toMatchObject({ match: { index: 3 } });
  });

  it('is killed when it stops responding', async () => {
    await regex.ask({ pattern: 'b', flags: '', from: 0, text: 'b' });
    process.kill(regex.processId ?? 0, 'SIGSTOP');
    expect(await regex.ask({ pattern: 'b', flags: '', from: 0 })).toEqual({ isLate: true });
    expect(await regex.ask({ pattern: 'b', flags: '', from: 0 })).toMatchObject({ match: { index: 0 } });
  });

  it('repeats a search that was starved of CPU', async () => {
    const question = { pattern: '(?=x*y)z|x*q', flags: '', from: 0 };
    await regex.ask({ ...question, text: 'x'.repeat(7_000) });
    const search = regex.ask(question);
    await setTimeout(15);
    process.kill(regex.processId ?? 0, 'SIGSTOP');
    await setTimeout(2 * REGEX_MS);
    process.kill(regex.processId ?? 0, 'SIGCONT');
    expect(await search).toEqual({ workMs: expect.any(Number) });
  });

  it('survives an invalid pattern', async () => {
    expect(await regex.ask({ pattern: '(', flags: '', from: 0, text: 'b' })).toEqual({ isLate: true });
    expect(await regex.ask({ pattern: 'b', flags: '', from: 0 })).toMatchObject({ match: { index: 0 } });
  });
});
