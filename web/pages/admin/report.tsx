import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../api/use-may.ts';
import { today } from '../../i18n/format.ts';
import { t } from '../../i18n/translate.ts';
import { AdvancePanel } from '../../reports/advance-panel.tsx';
import { ArenaPanel } from '../../reports/arena-panel.tsx';
import { PhonesGrid } from '../../reports/phones-grid.tsx';
import classes from '../../reports/reports.module.css';
import { StatusPanel } from '../../reports/status-panel.tsx';
import { DayFilter } from '../../ui/day-field.tsx';
import { PageTitle } from '../../ui/page-title.tsx';

const route = getRouteApi('/dashboard/report');

/** For admins: the server refuses all other accounts. */
export const Report = () => {
  const { date } = route.useSearch();
  const navigate = route.useNavigate();
  const may = useMay();
  return (
    <div data-wide>
      <PageTitle title={t('report.title')}>
        <DayFilter
          label={t('report.date')}
          pick={t('lists.pick_day', { label: t('report.date') })}
          value={date ?? today()}
          onChange={(day) =>
            void navigate({ search: day ? { date: day } : {}, replace: true, resetScroll: false })
          }
        />
      </PageTitle>
      <div className={classes.panels}>
        <StatusPanel date={date} />
        <AdvancePanel date={date} />
        {may('GET /phoneNumberInventory/slot') && <PhonesGrid date={date} />}
        <ArenaPanel />
      </div>
    </div>
  );
};
