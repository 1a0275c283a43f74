import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillIn } from './source';

const FILES = join(__dirname, '../../files');
const SOURCE = { commit: '5017bf180c2b0be9423c72a9fcb1f6c35e4a3c5c', version: '1.2.3' };
const filled = (file: string): string => fillIn(readFileSync(join(FILES, file), 'utf8'), SOURCE);

describe('the files of a release', () => {
  it('tell the processes of images and of the archive their commit', () => {
    expect(filled('Dockerfile')).toContain(` BUILD_COMMIT=${SOURCE.commit}\n`);
    expect(filled('start.mjs')).toContain(`process.env.BUILD_COMMIT ??= '${SOURCE.commit}';`);
  });

  it('name their version, and leave other words as they are', () => {
    expect(filled('README.md')).toMatch(/^# Weft 1\.2\.3\n/);
    expect(filled('README.md')).toContain('NAME=VERSION');
  });
});
