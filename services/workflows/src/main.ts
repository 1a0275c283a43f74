import { runService } from '@weft/service-kit/lifecycle';
import { config } from './config';
import { createServer } from './server';

void runService('workflows', config, createServer);
