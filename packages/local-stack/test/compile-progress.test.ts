import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';

const BOOTSTRAP = pathToFileURL(join(__dirname, '../../bin/bootstrap.mjs')).href;

/** Lines that the progress shows for this output of the compiler. */
const shown = async (output: readonly string[]): Promise<readonly string[]> => {
  const script =
    `const { showProgress } = await import(${JSON.stringify(BOOTSTRAP)});` +
    `const read = showProgress((line) => console.log(line), '/weft');` +
    `for (const line of ${JSON.stringify(output)}) read(line);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return stdout.trim().split('\n').filter(Boolean);
};

const BEGIN = ['4:38:35 AM - Projects in this build: ', '    * proto/tsconfig.json', '    * e2e/tsconfig.json', ''];

describe('compilation under npm start', () => {
  it('shows each project that is compiled, and how many there are', async () => {
    const lines = await shown([
      ...BEGIN,
      "4:38:35 AM - Project 'proto/tsconfig.json' is out of date because output is older than input",
      '',
      "4:38:35 AM - Building project '/weft/proto/tsconfig.json'...",
      "4:38:36 AM - Project 'e2e/tsconfig.json' is out of date because its dependency was built",
      "4:38:36\u202fAM - Building project '/weft/e2e/tsconfig.json'...",
    ]);
    expect(lines).toEqual(['compiling 1 of 2: proto', 'compiling 2 of 2: e2e']);
  });

  it('shows errors as they are, and nothing if all is up to date', async () => {
    const upToDate = ["4:38:35 AM - Project 'proto/tsconfig.json' is up to date because nothing has changed", ''];
    expect(await shown([...BEGIN, ...upToDate])).toEqual([]);
    const error = "e2e/src/a.ts(1,2): error TS2322: Type 'string' is not assignable to type 'number'.";
    expect(await shown([...BEGIN, error])).toEqual([error]);
  });

  it('is done by the compiler that npx tsc runs', () => {
    const modules = join(__dirname, '../../../../node_modules');
    expect(realpathSync(join(modules, '.bin/tsc'))).toBe(join(modules, 'native-typescript/bin/tsc'));
  });
});
