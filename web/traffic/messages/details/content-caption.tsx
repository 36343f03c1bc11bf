import { IconCornerUpLeft } from '@tabler/icons-react';
import { t } from '../../../ground/i18n/translate.ts';
import type { ListedMessage } from '../search/list-query.ts';
import classes from './content.module.css';
import { contentPieces } from './content-kinds.ts';

/** In a line of a list: an icon for each thing that came with the text, and its name where there is no text. */
export const ContentCaption = ({ message }: { message: ListedMessage }) => (
  <>
    {message.quotedMessage && (
      <IconCornerUpLeft size={15} className={classes.icon} role="img" aria-label={t('content.reply')} />
    )}
    {contentPieces(message).map(({ icon: Icon, kind, name }) => (
      <span key={kind} className={classes.caption}>
        <Icon size={15} className={classes.icon} role="img" aria-label={kind} />{' '}
        {message.message === '' && <span>{name || kind}</span>}
      </span>
    ))}
  </>
);
