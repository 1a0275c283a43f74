// Runs a command on the project's Node version. Plain Node, since nothing is installed yet.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Oldest Node that can start a command, as [major, minor]. */
const OLDEST_LAUNCHER = [20, 19];
/** Oldest major version that the services and tests run on. */
const OLDEST_MAJOR = 24;
/** The version fetched where the installed one cannot be used. */
const PINNED = '24.22.3';
/** Platforms for which npm has this version, with the SHA-512 of the package that holds it. */
const INTEGRITY = {
  'linux-x64': 'KHsob+Fv9YerATvYujMbiyJqnRCvLtrcr/eTNqRqiOSGp97EOiRP1yP47+knGgQ/xnc3XY8xzkW587dlZzNqRA==',
  'linux-arm64': 'IZx0J52/1NDwAsY2iyWR9nlPIYuYviTWetjj8+ElvYQh2+XRhLfCfkbFEF/2O5vGI2hcUbyPNHV+nz342FbJXw==',
};

/**
 * Returns if this process runs on Node 24 or newer and reads JSON rightly. Else it runs the same command on the pinned
 * Node, which is fetched into the cache if it is not there, and ends this process with its exit code.
 */
export async function useNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= OLDEST_MAJOR && !misreadsKeys()) return endWithLauncher();
  if (major < OLDEST_LAUNCHER[0] || (major === OLDEST_LAUNCHER[0] && minor < OLDEST_LAUNCHER[1]))
    fail(
      `Node ${OLDEST_MAJOR} is required, or ${OLDEST_LAUNCHER.join('.')} to fetch it; this is ` +
        `${process.versions.node}. Install a newer Node and start again.`,
    );
  await relaunch(await findPinned());
}

/** As `requireNode` of the services has it: until 24.22 the second key is read as the first. */
function misreadsKeys() {
  JSON.parse(String.raw`{"\\\\":1}`);
  return !('\\n' in JSON.parse(String.raw`{"\\n":1}`));
}

/** Path of the fetched program. */
async function findPinned() {
  const platform = `${process.platform}-${process.arch}`;
  const integrity = INTEGRITY[platform];
  if (integrity === undefined)
    fail(`Node ${OLDEST_MAJOR} is required and cannot be fetched for ${platform}. Install it and start again.`);
  const folder = join(cacheFolder(), `node-${PINNED}-${platform}`);
  if (!existsSync(folder)) await fetchPinned(folder, `node-${platform}`, integrity);
  return join(folder, 'node');
}

/** Fills the folder under another name and renames it, so that a folder of that name is always complete. */
async function fetchPinned(folder, name, integrity) {
  console.log(`this is Node ${process.versions.node}: fetching Node ${PINNED} into ${folder}`);
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const problem = await fill(draft, name, integrity);
  // another start may have been quicker
  if (problem === undefined && !existsSync(folder)) renameSync(draft, folder);
  rmSync(draft, { recursive: true, force: true });
  if (problem !== undefined) fail(problem);
}

/** Removes everything but the program from the folder. @returns why that failed */
async function fill(folder, name, integrity) {
  const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--no-save'];
  const code = await exitCode('npm', [...npm, '--prefix', folder, `${name}@${PINNED}`]);
  if (code !== 0) return `npm could not fetch Node ${PINNED}. Install Node ${OLDEST_MAJOR} and start again.`;
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  if (lock.packages[`node_modules/${name}`]?.integrity !== `sha512-${integrity}`)
    return `The package ${name}@${PINNED} from npm is not the expected one. Install Node ${OLDEST_MAJOR} yourself.`;
  renameSync(join(folder, 'node_modules', name, 'bin/node'), join(folder, 'node'));
  rmSync(join(folder, 'node_modules'), { recursive: true });
  return undefined;
}

/** Runs this command on another Node and ends as it ends; signals are passed on. */
async function relaunch(node) {
  const path = `${join(node, '..')}:${process.env.PATH ?? ''}`;
  const child = spawn(node, process.argv.slice(1), {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // npm and npx, which commands may call, run on it too
    env: { ...process.env, PATH: path },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((settle) => {
    child.once('error', (error) => fail(`Node ${PINNED} cannot be run: ${error.message}.`));
    child.once('exit', (...end) => settle(end));
  });
  process.exit(signal === null ? code : 1);
}

/** Ends this process like Ctrl-C when its launcher has ended in any way. */
function endWithLauncher() {
  if (process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/** Where `findPlaces` of the compiled code has it too. */
function cacheFolder() {
  const home = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return resolve(process.env.WEFT_CACHE || join(home, 'weft'));
}

function exitCode(command, args) {
  return new Promise((settle) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', (error) => fail(`${command} cannot be run: ${error.message}.`));
    child.once('exit', settle);
  });
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
