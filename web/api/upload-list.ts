import type { Imported } from '../../contract/opt-outs.ts';
import { upload } from './upload.ts';

interface ListUpload {
  path: string;
  params: Record<string, string>;
  file: File;
  fields?: Record<string, string>;
}

/** Sends a list as a CSV file, and answers what the server took of it. */
export const uploadList = ({ path, params, file, fields = {} }: ListUpload): Promise<Imported> => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', file);
  const { signal } = new AbortController();
  return upload<Imported>({ path, params, form, signal, onProgress: () => {} });
};
