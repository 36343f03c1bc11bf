export { readSetting } from './read-setting.ts';
export { type Given, incompleteGroup, type SettingsOf, section } from './section.ts';
export { domain, list, number, url } from './shapes.ts';
