import { execFileSync } from 'node:child_process';
import { relative, sep } from 'node:path';

const root = `${__dirname.split(`${sep}packages${sep}`)[0]}`;

describe('@weft/nodes/descriptors', () => {
  it('loads descriptors, the catalogue and their dependencies, but no executor', () => {
    const script = "require('@weft/nodes/descriptors'); console.log(JSON.stringify(Object.keys(require.cache)));";
    const loaded: string[] = JSON.parse(
      execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' }),
    );
    const ours = loaded.map((path) => relative(root, path)).filter((path) => !path.startsWith('node_modules'));
    expect(ours).toContain('packages/nodes/dist/src/http-request/descriptor.js');
    expect(
      ours.filter(
        (path) =>
          !/^packages\/nodes\/dist\/src\/(descriptors|definitions|[\w/-]+(?=\/descriptor[\w-]*\.js$))\//.test(path) &&
          !/^packages\/(apps\/dist\/src\/(index|apps\.gen)|app-model\/dist\/src\/(kinds-of|operation-key))\.js$/.test(
            path,
          ) &&
          !/^packages\/(node-catalogue|service-kit)\//.test(path),
      ),
    ).toEqual([]);
    const libraries = loaded.map((path) => /node_modules\/((?:@[\w-]+\/)?[\w.-]+)/.exec(path)?.[1]);
    expect([...new Set(libraries)].filter((name) => name !== undefined).sort()).toEqual(['cron-parser', 'luxon']);
  });
});
