import { SettingsServiceService } from '@weft/proto/settings';
import { bindService, type AccessRule, type BoundService } from '../grpc';
import { RELEASE } from '../lifecycle';
import type { SharedSettings } from './shared-settings';

/** Callers of SettingsService. */
export const SETTINGS_ACCESS: Readonly<Record<keyof typeof SettingsServiceService, AccessRule>> = {
  getSharedSettings: { services: ['gateway', 'runner'] },
};

/** Serves the shared settings and the release of this process. */
export const bindSharedSettings = (settings: SharedSettings): BoundService => ({
  ...bindService(
    SettingsServiceService,
    { getSharedSettings: () => Promise.resolve({ settings: { ...settings }, release: RELEASE }) },
    SETTINGS_ACCESS,
  ),
  // Peers compare settings once a minute: counted as an event, each call would keep the polls of an idle process busy.
  isUntimed: true,
});
