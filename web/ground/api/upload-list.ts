import type { Imported } from '../../../contract/customer/opt-outs.ts';
import { type CsvUpload, csvFormData } from './csv-form.ts';
import { upload } from './upload.ts';

interface ListUpload extends CsvUpload {
  path: string;
  params: Record<string, string>;
}

/** Sends a list as a CSV file, and returns what the server took from it. */
export const uploadList = ({ path, params, ...csv }: ListUpload): Promise<Imported> => {
  const { signal } = new AbortController();
  return upload<Imported>({ path, params, form: csvFormData(csv), signal, onProgress: () => {} });
};
