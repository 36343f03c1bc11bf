import type { Channel } from '../../../contract/ground/channels.ts';

/** A CSV file, and the fields that apply to all of its rows. */
export interface CsvUpload {
  file: File;
  fields?: Record<string, string>;
}

/** A file of recipients to check before it is sent by this channel. */
export interface UploadRequest extends CsvUpload {
  channel: Channel;
}

/** The fields come before the file, so that the server can refuse before it has read all of the file. */
export const csvFormData = ({ file, fields = {} }: CsvUpload): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('csv', file);
  return form;
};
