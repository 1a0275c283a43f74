// Brings a fresh checkout to the point where compiled code can run: plain Node, since nothing is installed before it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { useNode } from './use-node.mjs';

const checkout = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/**
 * Switches to Node 24, installs the dependencies if they are missing or out of date, compiles changed files, and runs a
 * compiled program in this process. A step that fails ends the process with exit code 1. The standard output is the
 * program's.
 *
 * @param program path of a compiled file, from the root of the checkout.
 * @returns its exports.
 */
export async function bootstrap(program) {
  await useNode();
  if (!areDependenciesFresh()) await installDependencies();
  await compile();
  process.setSourceMapsEnabled(true);
  return import(pathToFileURL(join(checkout, program)).href);
}

/** Up to date if installed from this very lock file, or installed by hand after it was written. */
function areDependenciesFresh() {
  const installed = join(checkout, 'node_modules/.package-lock.json');
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs >= statSync(join(checkout, 'package-lock.json')).mtimeMs) return true;
  return existsSync(stampFile()) && readFileSync(stampFile(), 'utf8') === lockFingerprint();
}

async function installDependencies() {
  console.error('installing dependencies (npm ci)');
  // no dependency needs its install script: nothing that it would download or compile is used
  await run(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    'npm could not install the dependencies.',
  );
  writeFileSync(stampFile(), lockFingerprint());
}

async function compile() {
  const compiler = join(checkout, 'node_modules/native-typescript/bin/tsc');
  // tsc names each project that it builds; with nothing to build, nothing is shown
  const args = [compiler, '-b', checkout, '--verbose', '--pretty', 'false'];
  await run(process.execPath, args, 'The code does not compile.', showProgress());
  await run(process.execPath, [join(checkout, 'packages/console/build.mjs')], 'The console does not build.');
}

/** Returns what turns the lines of `tsc -b --verbose` into one line of progress for each project that it compiles. */
export function showProgress(show = (line) => console.error(line), root = checkout) {
  let projects = 0;
  let checked = 0;
  return (line) => {
    if (/^\s+\* /.test(line)) projects += 1;
    else if (/^\S+\s\S+ - Project '/.test(line)) checked += 1;
    else if (/^\S+\s\S+ - Building project '/.test(line)) {
      const [, path = ''] = /'(.*)'/.exec(line) ?? [];
      show(`compiling ${checked} of ${projects}: ${relative(root, dirname(path)) || 'the rest'}`);
    } else if (line.trim() !== '' && !/^\S+\s\S+ - /.test(line)) show(line);
  };
}

/** @param onLine gets each line of the standard output, which otherwise goes to the standard error. */
function run(command, args, sentence, onLine) {
  return new Promise((settle) => {
    const output = onLine === undefined ? process.stderr : 'pipe';
    const child = spawn(command, args, { cwd: checkout, stdio: ['ignore', output, 'inherit'] });
    if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine);
    child.once('error', (error) => fail(`${sentence} ${command} cannot be run: ${error.message}.`));
    child.once('close', (code) => (code === 0 ? settle() : fail(`${sentence} Its messages are above.`)));
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

function stampFile() {
  return join(checkout, 'node_modules/.weft-installed');
}

function lockFingerprint() {
  return createHash('sha256')
    .update(readFileSync(join(checkout, 'package-lock.json')))
    .digest('hex');
}
