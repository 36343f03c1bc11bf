export { findChromium } from './find-chromium.ts';
export { isLibraryInstalled, LIBRARY, libraryFolder } from './library.ts';
export { whatsappWebSection } from './settings.ts';
export { whatsappWeb } from './whatsapp-web.ts';
