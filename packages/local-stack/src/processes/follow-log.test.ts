import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../wait-until';
import { followLog } from './follow-log';

describe('followLog', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'weft-follow-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('passes on whole lines only, as they come, and the rest at the end', async () => {
    const file = join(folder, 'log');
    const lines: string[] = [];
    const end = followLog(file, (line) => lines.push(line));
    appendFileSync(file, 'one\ntw');
    await waitUntil(() => lines.length > 0, { limitMs: 30_000 });
    expect(lines).toEqual(['one']);
    appendFileSync(file, 'o\n\nthree\n');
    end();
    expect(lines).toEqual(['one', 'two', 'three']);
  });
});
