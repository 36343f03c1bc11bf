export { memoryOfZones } from '../zones-server.ts';
