import { oneByOne } from './write-order';

describe('writes for one value of a unique index', () => {
  it('start when the previous one has succeeded or failed, those for other values immediately', async () => {
    const begun: string[] = [];
    const { promise: first, reject } = Promise.withResolvers<void>();
    const write = (name: string, until: Promise<void>) => (): Promise<void> => {
      begun.push(name);
      return until;
    };
    const refused = oneByOne('routes a', write('a', first));
    const second = oneByOne('routes a', write('a again', Promise.resolve()));
    await oneByOne('routes b', write('b', Promise.resolve()));
    expect(begun).toEqual(['a', 'b']);
    reject(new Error('taken'));
    await expect(refused).rejects.toThrow('taken');
    await second;
    expect(begun).toEqual(['a', 'b', 'a again']);
  });
});
