import { runBackUp } from '@weft/service-kit/back-up';
import { DATABASE } from './config';
import { BACK_UP_PLAN } from './store/back-up-plan';
import { SCHEMA } from './store/indexes';

void runBackUp({ service: 'workflows', defaultDatabase: DATABASE, schema: SCHEMA, plan: BACK_UP_PLAN });
