import { readFileTimes, slowestFilesLines } from './slowest-files';

describe('readFileTimes', () => {
  it('names the source of each compiled file and its seconds', () => {
    const testResults = [
      { name: '/code/packages/a/dist/src/b.test.js', startTime: 1_000, endTime: 3_500 },
      { name: '/code/e2e/dist/src/stories/c.long.test.js', startTime: 2_000, endTime: 2_000 },
    ];
    expect(readFileTimes(JSON.stringify({ testResults }), '/code')).toEqual([
      { path: 'packages/a/src/b.test.ts', seconds: 2.5 },
      { path: 'e2e/src/stories/c.long.test.ts', seconds: 0 },
    ]);
  });
});

describe('slowestFilesLines', () => {
  it('lists the twenty slowest files, slowest first', () => {
    const files = Array.from({ length: 30 }, (_, index) => ({ path: `${index}.test.ts`, seconds: index }));
    const lines = slowestFilesLines(files);
    expect(lines).toHaveLength(20);
    expect([lines[0], lines[19]]).toEqual(['   29.0 s  29.test.ts', '   10.0 s  10.test.ts']);
  });
});
