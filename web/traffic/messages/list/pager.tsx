import {
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
  type TablerIcon,
} from '@tabler/icons-react';
import { memo } from 'react';
import { formatCount } from '../../../ground/i18n/format.ts';
import { t } from '../../../ground/i18n/translate.ts';
import { pageLinks } from './page-links.ts';
import classes from './pager.module.css';

interface PagerProps {
  /** Names this pager, because the page has two. */
  label: string;
  page: number;
  pages: number;
  /** Whether ten pages are linked, or only the current one is named. */
  links?: boolean;
  onPage: (page: number) => void;
}

interface StepProps {
  label: string;
  icon: TablerIcon;
  to: number;
  possible: boolean;
  onPage: (page: number) => void;
}

const Step = ({ label, icon: Icon, to, possible, onPage }: StepProps) => (
  <button
    type="button"
    className={classes.link}
    aria-label={label}
    title={label}
    disabled={!possible}
    onClick={() => onPage(to)}
  >
    <Icon size={17} aria-hidden="true" />
  </button>
);

export const Pager = memo(({ label, page, pages, links = true, onPage }: PagerProps) => {
  const [before, after] = [page > 1, page < pages];
  return (
    <nav className={classes.pager} aria-label={label}>
      <Step
        label={t('messages.first_page')}
        icon={IconChevronsLeft}
        to={1}
        possible={before}
        onPage={onPage}
      />
      <Step
        label={t('messages.previous_page')}
        icon={IconChevronLeft}
        to={page - 1}
        possible={before}
        onPage={onPage}
      />
      {links ? (
        pageLinks(page, pages).map((n) => (
          <button
            key={n}
            type="button"
            className={classes.link}
            aria-label={t('messages.page', { page: formatCount(n) })}
            aria-current={n === page ? 'page' : undefined}
            onClick={() => onPage(n)}
          >
            {formatCount(n)}
          </button>
        ))
      ) : (
        <span className={classes.which}>
          {t('messages.page_of', { page: formatCount(page), pages: formatCount(pages) })}
        </span>
      )}
      <Step
        label={t('messages.next_page')}
        icon={IconChevronRight}
        to={page + 1}
        possible={after}
        onPage={onPage}
      />
      <Step
        label={t('messages.last_page')}
        icon={IconChevronsRight}
        to={pages}
        possible={after}
        onPage={onPage}
      />
    </nav>
  );
});
