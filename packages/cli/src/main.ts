import { COMMANDS, GROUPS } from './commands/all';
import { runProgram } from './program';
import { RELEASE } from './release';
import { EXIT } from './session/exit-code';
import { processIo } from './session/io';

const stop = new AbortController();

/** A second Ctrl-C ends the process at once. */
process.once('SIGINT', () => {
  stop.abort();
  process.once('SIGINT', () => process.exit(EXIT.interrupted));
});
// The reader of a pipe has what it wants, for example `head`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

void runProgram(processIo(stop.signal), COMMANDS, GROUPS, RELEASE, process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
