/* Generated from packages/apps by `npm run apps:gen`. Do not edit. */
import type { AppDocument } from '@weft/app-model';
import { slack } from './gen/slack';
import { telegram } from './gen/telegram';
/** All apps of the build. */
export const APP_DOCUMENTS: readonly AppDocument[] = [slack, telegram];
