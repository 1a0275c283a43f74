import { yieldSoon } from '@weft/sandbox';
import { runWorker } from '@weft/service-kit/lifecycle';
import { config } from '../config';
import { createOverShareExecutor } from './over-share-executor';

void yieldSoon().then(() => runWorker('runner', config, createOverShareExecutor));
