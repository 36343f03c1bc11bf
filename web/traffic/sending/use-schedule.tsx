import { useRef, useState } from 'react';
import { today } from '../../ground/i18n/format.ts';
import { SEND_NOW, scheduleBody, scheduleFault, scheduleLabel } from './schedule.ts';
import { ScheduleFields } from './schedule-fields.tsx';

/** The schedule's fields with a state of their own, for what is sent from outside the form. */
export const useSchedule = () => {
  const [schedule, setSchedule] = useState(SEND_NOW);
  const [fault, setFault] = useState<string>();
  const time = useRef<HTMLInputElement>(null);
  /** What the call takes; undefined after the focus was set on what is missing. */
  const read = () => {
    const found = scheduleFault(schedule);
    setFault(found);
    if (found === undefined) return scheduleBody(schedule);
    time.current?.focus();
    return undefined;
  };
  const fields = (
    <ScheduleFields
      schedule={schedule}
      error={fault}
      timeRef={time}
      onChange={(changed) => {
        setSchedule(changed);
        setFault(undefined);
      }}
    />
  );
  return { fields, read, label: scheduleLabel(schedule, today()) };
};
