import { getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../ground/api/use-may.ts';
import { today } from '../../ground/i18n/format.ts';
import { t } from '../../ground/i18n/translate.ts';
import { DayFilter } from '../../ground/ui/forms/day-field.tsx';
import { PageTitle } from '../../ground/ui/layout/page-title.tsx';
import { AdvancePanel } from '../../office/reports/advance-panel.tsx';
import { ArenaPanel } from '../../office/reports/arena-panel.tsx';
import { PhonesGrid } from '../../office/reports/phones-grid.tsx';
import classes from '../../office/reports/reports.module.css';
import { StatusPanel } from '../../office/reports/status-panel.tsx';

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
