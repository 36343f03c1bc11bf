import {
  IconFile,
  IconMicrophone,
  IconMovie,
  IconPhoto,
  IconSticker,
  IconTemplate,
  type TablerIcon,
} from '@tabler/icons-react';
import { t } from '../../../ground/i18n/translate.ts';
import type { ListedMessage } from '../search/list-query.ts';

export interface ContentPiece {
  icon: TablerIcon;
  /** What it is, in the reader's language. */
  kind: string;
  /** Its name, if it has one. */
  name: string;
}

type Media = NonNullable<ListedMessage['media']>;

const MEDIA: Record<string, { icon: TablerIcon; kind: () => string }> = {
  image: { icon: IconPhoto, kind: () => t('content.image') },
  video: { icon: IconMovie, kind: () => t('content.video') },
  audio: { icon: IconMicrophone, kind: () => t('content.audio') },
  sticker: { icon: IconSticker, kind: () => t('content.sticker') },
  file: { icon: IconFile, kind: () => t('content.file') },
};

const partOf = (kind: string, name: string): ContentPiece => {
  const { icon, kind: text } = MEDIA[kind] ?? { icon: IconFile, kind: () => t('content.file') };
  return { icon, kind: text(), name };
};

export const mediaPart = ({ kind, fileName }: Media): ContentPiece => partOf(kind, fileName);

/** The last part of an address, which often is the name of the file. */
const nameIn = (url: string): string => {
  const path = URL.parse(url)?.pathname ?? '';
  return path.slice(path.lastIndexOf('/') + 1);
};

/** What a message is made of besides its text. */
export const contentPieces = (message: ListedMessage): ContentPiece[] => {
  const { media, image, video, file, fileName, templateName } = message;
  return [
    ...(media ? [mediaPart(media)] : []),
    ...(image ? [partOf('image', nameIn(image))] : []),
    ...(video ? [partOf('video', nameIn(video))] : []),
    ...(file ? [partOf('file', fileName ?? nameIn(file))] : []),
    ...(templateName ? [{ icon: IconTemplate, kind: t('content.template'), name: templateName }] : []),
  ];
};
