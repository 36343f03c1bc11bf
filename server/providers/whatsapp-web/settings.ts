import { z } from 'zod';
import { number, type SettingsOf, section } from '../../ground/settings/index.ts';

const shape = {
  /** The program of Chromium or Chrome; without it, the first that is installed. */
  WHATSAPP_WEB_CHROMIUM: z.string().min(1).optional(),
  /** What one device may use, its browser included; above that it is started again. */
  WHATSAPP_WEB_MEMORY_MB: number('a number of megabytes from 256 to 8192', 256, 8_192).default(1_024),
  /** How many devices a worker drives at a time, each with a browser; further ones wait. */
  WHATSAPP_WEB_MOST_DEVICES: number('a number of devices from 1 to 1000', 1, 1_000).default(20),
};

export const whatsappWebSection = section({ shape, secrets: [] });

export type WhatsappWebSection = SettingsOf<typeof whatsappWebSection>;
