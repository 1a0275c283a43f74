import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createHeavyExecutor } from './heavy-executor';

runWorker('runner', (logger, send) => createHeavyExecutor(config.load(), logger, send));
