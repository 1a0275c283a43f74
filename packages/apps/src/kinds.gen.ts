/* Generated from packages/apps by `npm run apps:gen`. Do not edit. */
import type { KindDescriptor } from '@weft/node-catalogue';
import { googleSheetsKinds } from './gen/google-sheets-kinds.gen';
import { slackKinds } from './gen/slack-kinds.gen';
import { telegramKinds } from './gen/telegram-kinds.gen';
/** The node kinds of all apps of the build. */
export const APP_KINDS: readonly KindDescriptor[] = [...googleSheetsKinds, ...slackKinds, ...telegramKinds];
