export { memoryOfZones, openZonesServer } from '../zones-server.ts';
