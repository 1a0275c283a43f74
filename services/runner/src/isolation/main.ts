import { yieldSoon } from '@weft/sandbox';
import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createIsolatedExecutor } from './isolated-executor';

void yieldSoon().then(() => runWorker('runner', config, createIsolatedExecutor));
