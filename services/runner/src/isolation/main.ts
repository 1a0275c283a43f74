import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createIsolatedExecutor } from './isolated-executor';

runWorker('runner', config, createIsolatedExecutor);
