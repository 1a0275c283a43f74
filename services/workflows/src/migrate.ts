import { runMigration } from '@weft/service-kit/mongo';
import { DATABASE } from './config';
import { SCHEMA } from './store/indexes';

void runMigration('workflows', DATABASE, SCHEMA);
