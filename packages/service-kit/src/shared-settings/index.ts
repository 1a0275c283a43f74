export { compareSettings, type CompareOptions, type SettingsComparison } from './compare-settings';
export { bindSharedSettings, SETTINGS_ACCESS } from './settings-service';
export { sharedSettingsOf, type SharedSettings } from './shared-settings';
