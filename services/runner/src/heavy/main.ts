import { yieldSoon } from '@weft/sandbox';
import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createHeavyExecutor } from './heavy-executor';

void yieldSoon().then(() => runWorker('runner', config, createHeavyExecutor));
