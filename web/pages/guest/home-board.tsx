import { IconBrandWhatsapp, IconDeviceMobileMessage, IconMail, type TablerIcon } from '@tabler/icons-react';
import { t } from '../../ground/i18n/translate.ts';
import classes from './home-board.module.css';

interface Row {
  icon: TablerIcon;
  to: string;
  text: () => string;
  done: boolean;
}

const ROWS: Row[] = [
  { icon: IconDeviceMobileMessage, to: '+852 6111 2222', text: () => t('home.board.sms'), done: true },
  { icon: IconBrandWhatsapp, to: '+852 6111 2223', text: () => t('home.board.whatsapp'), done: true },
  { icon: IconMail, to: 'customer@example.com', text: () => t('home.board.email'), done: false },
];

/** A picture of the product made of its own components; it repeats what the text beside it says. */
export const HomeBoard = () => (
  <div className={classes.board} aria-hidden="true">
    <div className={classes.list}>
      <div className={classes.listHead}>
        <span className={classes.listTitle}>{t('home.board.title')}</span>
        <span className={classes.count}>{t('home.board.count')}</span>
      </div>
      {ROWS.map(({ icon: Icon, to, text, done }) => (
        <div key={to} className={classes.row}>
          <span className={classes.channel}>
            <Icon size={20} stroke={1.7} />
          </span>
          <span className={classes.message}>
            <span className={classes.to}>{to}</span>
            <span className={classes.text}>{text()}</span>
          </span>
          <span className={done ? classes.done : classes.waiting}>{done ? 'SUCCESS' : 'PENDING'}</span>
        </div>
      ))}
    </div>
    <div className={classes.below}>
      <div className={classes.balance}>
        <span className={classes.caption}>{t('profile.balance')}</span>
        <span className={classes.amount}>128.40</span>
        <span className={classes.posting}>
          <span>{t('home.board.posting')}</span>
          <span>−0.032</span>
        </span>
      </div>
      <pre className={classes.code}>
        <b>POST</b> /api/sms/send{'\n'}
        {'{ '}
        <i>"phone"</i>: "+852 6111 2222",{'\n  '}
        <i>"message"</i>: "{t('home.board.sms')}"{' }'}
      </pre>
    </div>
  </div>
);
