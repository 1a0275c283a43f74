import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createHeavyExecutor } from './heavy-executor';

runWorker('runner', config, createHeavyExecutor);
