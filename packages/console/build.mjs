#!/usr/bin/env node
// Bundles the console for browsers into dist/app: hashed files with their compressed forms, index.html, the licences of
// what is bundled, and the manifest that the gateway serves from. Skipped if no input has changed, unless --force is
// given; --sizes prints the size of each screen.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const folder = dirname(fileURLToPath(import.meta.url));
const checkout = join(folder, '../..');
const out = join(folder, 'dist/app');
const stampFile = join(folder, 'dist/app/inputs.sha256');

/** Gzipped bytes of the scripts that a screen loads, with everything that they import. */
const BUDGETS = [
  {
    screen: 'the credentials',
    entries: ['src/main.tsx', 'src/features/credentials/credentials-page.tsx'],
    max: 200_000,
  },
  { screen: 'a data table', entries: ['src/main.tsx', 'src/features/tables/table-page.tsx'], max: 200_000 },
  { screen: 'the first list', entries: ['src/main.tsx', 'src/features/workflows/workflows-page.tsx'], max: 200_000 },
  {
    screen: 'an execution',
    entries: ['src/main.tsx', 'src/features/executions/execution-page.tsx'],
    max: 270_000,
  },
  {
    screen: 'the editor',
    entries: ['src/main.tsx', 'src/features/editor/editor-page.tsx'],
    max: 450_000,
  },
  { screen: 'the worker of previews', entries: ['src/preview/worker.ts'], max: 290_000 },
];

const TYPES = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Packages of the project that are bundled from their source, so that only what is used is included. */
const PACKAGES = {
  '@weft/client': 'client/src/index.ts',
  '@weft/workflow-edit/form': 'workflow-edit/src/form/index.ts',
  '@weft/workflow-edit/live-text': 'workflow-edit/src/live-text.ts',
  '@weft/workflow-edit/node-summary': 'workflow-edit/src/node-summary.ts',
  '@weft/workflow-edit': 'workflow-edit/src/index.ts',
  '@weft/engine/preview/session': 'engine/src/preview/session.ts',
  '@weft/engine/preview': 'engine/src/preview/index.ts',
  '@weft/expressions/syntax': 'expressions/src/syntax.ts',
  '@weft/expressions': 'expressions/src/index.ts',
  '@weft/nodes/definitions': 'nodes/src/definitions/check-against-kinds.ts',
  '@weft/node-catalogue/definitions': 'node-catalogue/src/definitions.ts',
  '@weft/service-kit/json-values': 'service-kit/src/json/json.ts',
};

/** Folders of files whose content decides about the bundle. */
const INPUT_FOLDERS = [
  'src',
  ...['client', 'workflow-edit', 'engine', 'expressions', 'node-catalogue', 'service-kit'].map(
    (name) => `../${name}/src`,
  ),
  '../nodes/src/definitions',
];

/** Files whose content decides about the bundle. */
const inputs = () => [
  ...INPUT_FOLDERS.flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, name, file))
      .filter((file) => statSync(file).isFile() && !file.includes('.test.')),
  ),
  join(folder, 'package.json'),
  join(folder, 'build.mjs'),
  join(checkout, 'package-lock.json'),
];

const fingerprint = () => {
  const hash = createHash('sha256');
  for (const file of inputs().sort()) hash.update(relative(checkout, file)).update(readFileSync(file));
  return hash.digest('hex');
};

const isCurrent = (stamp) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

/** Folder of the npm package that a bundled file belongs to; undefined for the project's own files. */
const packageOf = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/** The licences of all bundled packages as one text. @throws Error for a package without one */
const licences = (files) => {
  const packages = [...new Set(files.map(packageOf).filter((name) => name !== undefined))].sort();
  return packages
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(checkout, path, 'package.json'), 'utf8'));
      const file = readdirSync(join(checkout, path)).find((entry) => /^licen[cs]e/i.test(entry));
      if (license === undefined) throw new Error(`${name} has no licence: it cannot be bundled.`);
      const text = file === undefined ? '' : `\n${readFileSync(join(checkout, path, file), 'utf8').trim()}\n`;
      return `${name} ${version}: ${license}\n${text}`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
};

/** Output files that a browser loads for some entries, with all static imports. */
const scriptsOf = (outputs, entries) => {
  const loaded = new Set();
  const visit = (file) => {
    if (loaded.has(file) || outputs[file] === undefined) return;
    loaded.add(file);
    for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') visit(path);
  };
  for (const entry of entries) {
    const file = Object.keys(outputs).find((name) => outputs[name].entryPoint === `packages/console/${entry}`);
    if (file === undefined) throw new Error(`No output has the entry ${entry}: change BUDGETS in build.mjs.`);
    visit(file);
  }
  return [...loaded];
};

const page = (script, imports, style, build) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="weft-build" content="${build}">
<title>Weft</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/console/${style}">
${imports.map((file) => `<link rel="modulepreload" href="/console/${file}">`).join('\n')}
<script type="module" src="/console/${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript. The API is documented at /docs/.</noscript>
</body>
</html>
`;

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

/** Writes a file with its compressed forms, and returns its row of the manifest. */
const write = async (name, content) => {
  const path = join(out, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  const [gz, br] = await Promise.all([
    compressGzip(content, { level: 9 }),
    compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  ]);
  writeFileSync(`${path}.gz`, gz);
  writeFileSync(`${path}.br`, br);
  const type = TYPES[/\.[a-z]+$/.exec(name)?.[0]] ?? 'text/html; charset=utf-8';
  return { name, type, bytes: content.length, gzip: gz.length, brotli: br.length };
};

const OPTIONS = {
  absWorkingDir: checkout,
  outdir: out,
  bundle: true,
  target: 'es2022',
  minify: true,
  metafile: true,
  write: false,
  jsx: 'automatic',
  publicPath: '/console/',
  entryNames: 'assets/[name]-[hash]',
  chunkNames: 'assets/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  legalComments: 'none',
  logLevel: 'warning',
  conditions: ['browser'],
  alias: Object.fromEntries(Object.entries(PACKAGES).map(([name, file]) => [name, join(checkout, 'packages', file)])),
};

/** Bundles the worker of previews first: the page contains its address, the only one that its policy accepts. */
const bundle = async () => {
  const worker = await build({ ...OPTIONS, entryPoints: ['packages/console/src/preview/worker.ts'], format: 'iife' });
  const address = `/console/${relative(out, worker.outputFiles[0].path).split(sep).join('/')}`;
  const page = await build({
    ...OPTIONS,
    entryPoints: ['packages/console/src/main.tsx'],
    splitting: true,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"production"', PREVIEW_WORKER: JSON.stringify(address) },
  });
  return {
    outputFiles: [...worker.outputFiles, ...page.outputFiles],
    metafile: {
      inputs: { ...worker.metafile.inputs, ...page.metafile.inputs },
      outputs: { ...worker.metafile.outputs, ...page.metafile.outputs },
    },
  };
};

const makeConsole = async () => {
  const { outputFiles, metafile } = await bundle();
  const prefix = `packages/console/dist/app/`;
  const outputs = metafile.outputs;
  const nameOf = (path) => relative(out, path).split(sep).join('/');
  rmSync(out, { recursive: true, force: true });
  const rows = await Promise.all([
    ...outputFiles.map(({ path, contents }) => write(nameOf(path), Buffer.from(contents))),
    write('licences.txt', Buffer.from(licences(Object.keys(metafile.inputs)))),
    write('icon.svg', readFileSync(join(folder, 'src/icon.svg'))),
  ]);
  const sizes = new Map(rows.map(({ name, gzip }) => [name, gzip]));
  const problems = BUDGETS.flatMap(({ screen, entries, max }) => {
    const files = scriptsOf(outputs, entries).map((file) => file.slice(prefix.length));
    const bytes = files.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0);
    if (process.argv.includes('--sizes')) console.log(`${screen}: ${bytes} of ${max} bytes gzipped`, files);
    return bytes > max ? [`The scripts of ${screen} have ${bytes} bytes gzipped; at most ${max} are allowed.`] : [];
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const [script, ...imports] = scriptsOf(outputs, ['src/main.tsx']).map((file) => file.slice(prefix.length));
  const styles = rows.filter(({ name }) => name.endsWith('.css')).map(({ name }) => name);
  if (styles.length !== 1)
    throw new Error(`Import all CSS from src/main.tsx: there are ${styles.length} style sheets.`);
  const buildId = createHash('sha256').update(JSON.stringify(rows)).digest('hex').slice(0, 16);
  const index = await write('index.html', Buffer.from(page(script, imports, styles[0], buildId)));
  const manifest = { build: buildId, files: [...rows, index].sort((a, b) => (a.name < b.name ? -1 : 1)) };
  // Last, so that an interrupted build leaves no manifest.
  writeFileSync(join(out, 'manifest.tmp'), JSON.stringify(manifest, undefined, 1));
  renameSync(join(out, 'manifest.tmp'), join(out, 'manifest.json'));
};

const stamp = fingerprint();
if (process.argv.includes('--force') || !isCurrent(stamp)) {
  try {
    await makeConsole();
    writeFileSync(stampFile, stamp);
  } catch (error) {
    console.error(`${basename(folder)}: ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}
