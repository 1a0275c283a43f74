import { runService } from '@weft/service-kit/lifecycle';
import { config } from './config';
import { createServer } from './server';
import { readPredecessor } from './watchdog/predecessor';
import { commandOfThisProcess, startWatchdog } from './watchdog/watchdog';

const predecessor = readPredecessor(process.argv[2]);
const watchdog = startWatchdog({ kind: 'replace', command: commandOfThisProcess() });

void runService('runner', config, async (settings, logger) => {
  if (predecessor !== undefined) (await import('@weft/sandbox/replace-process')).reapChildrenOfReplaced();
  return createServer(settings, logger, { watchdog, ...(predecessor === undefined ? {} : { predecessor }) });
});
