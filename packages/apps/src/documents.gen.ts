/* Generated from packages/apps by `npm run apps:gen`. Do not edit. */
import type { AppDocument } from '@weft/app-model';
import { googleSheets } from './gen/google-sheets.gen';
import { slack } from './gen/slack.gen';
import { telegram } from './gen/telegram.gen';
/** All apps of the build. */
export const APP_DOCUMENTS: readonly AppDocument[] = [googleSheets, slack, telegram];
