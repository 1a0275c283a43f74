import { join } from 'node:path';
import { builtOnce, findPlaces, goInstall, tryCommand } from '@weft/local-stack';

/** A checker of workflow files of the code host. */
const ACTIONLINT = 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12';

describe('the workflow that publishes a release', () => {
  it('is accepted by actionlint', async () => {
    const { cache, checkout } = findPlaces(process.env);
    const report = (): void => undefined;
    const recipe = {
      name: 'actionlint',
      inputs: { source: ACTIONLINT },
      build: (folder: string) => goInstall(cache, ACTIONLINT, folder, report),
    };
    const program = join(await builtOnce(cache, recipe, report), 'actionlint');
    const file = join(checkout, '.github/workflows/release.yml');
    expect(await tryCommand(program, ['-no-color', file])).toEqual({ code: 0, stdout: '', stderr: '' });
  }, 600_000);
});
