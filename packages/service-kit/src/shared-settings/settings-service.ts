import { SettingsServiceService } from '@weft/proto/settings';
import { bindService, type AccessRule, type BoundService } from '../grpc';
import type { SharedSettings } from './shared-settings';

/** Callers of SettingsService. */
export const SETTINGS_ACCESS: Readonly<Record<keyof typeof SettingsServiceService, AccessRule>> = {
  getSharedSettings: { services: ['gateway', 'runner'] },
};

/** Serves the shared settings of this process. */
export const bindSharedSettings = (settings: SharedSettings): BoundService =>
  bindService(
    SettingsServiceService,
    { getSharedSettings: () => Promise.resolve({ settings: { ...settings } }) },
    SETTINGS_ACCESS,
  );
