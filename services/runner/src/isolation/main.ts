import { yieldSoon } from '@weft/sandbox';
import { runWorker } from '@weft/service-kit/lifecycle';
import { WATCHDOG_DESCRIPTOR } from '../child/child-process';
import { config } from '../config';
import { startWatchdog } from '../watchdog/watchdog';
import { createIsolatedExecutor } from './isolated-executor';

const watchdog = startWatchdog({ kind: 'kill', descriptor: WATCHDOG_DESCRIPTOR });
void yieldSoon().then(() =>
  runWorker('runner', config, (settings, logger, send) =>
    createIsolatedExecutor(settings, logger, send, watchdog.openHold),
  ),
);
