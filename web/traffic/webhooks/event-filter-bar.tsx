import { NativeSelect, TextInput } from '@mantine/core';
import { EVENT_STATES, EVENT_TYPES } from '../../../contract/traffic/event-values.ts';
import type { EventFilter, EventState, EventType } from '../../../contract/traffic/webhooks.ts';
import { t } from '../../ground/i18n/translate.ts';
import { anyOf } from '../../ground/ui/any-of.ts';
import { DayFilter } from '../../ground/ui/forms/day-field.tsx';
import { useFollowing } from '../../ground/ui/use-following.ts';
import { isMessageId } from './event-kinds.ts';
import classes from './webhooks.module.css';

interface EventFilterBarProps {
  filter: EventFilter;
  /** What is chosen now; the rest stays. */
  onChange: (chosen: EventFilter) => void;
}

/** Takes effect when it is a complete id, or empty. */
const MessageField = ({ filter, onChange }: EventFilterBarProps) => {
  const [typed, setTyped] = useFollowing(filter.messageId);
  const value = typed.trim();
  return (
    <TextInput
      label={t('events.message')}
      className={classes.wide}
      value={typed}
      spellCheck={false}
      autoComplete="off"
      maxLength={50}
      error={value !== '' && !isMessageId(value) && t('events.message_faulty')}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        const next = currentTarget.value.trim();
        if (next === '' || isMessageId(next)) onChange({ messageId: next === '' ? undefined : next });
      }}
    />
  );
};

/** Each choice takes effect immediately. */
export const EventFilterBar = ({ filter, onChange }: EventFilterBarProps) => {
  const { type, state, dateFrom, dateTo } = filter;
  const backwards = dateFrom !== undefined && dateTo !== undefined && dateFrom > dateTo;
  return (
    <search className={classes.filter} aria-label={t('events.filter')}>
      <NativeSelect
        label={t('events.type')}
        data={anyOf(t('events.any_type'), EVENT_TYPES, (value) => t(`events.type.${value}`))}
        value={type ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ type: (currentTarget.value || undefined) as EventType | undefined })
        }
      />
      <NativeSelect
        label={t('events.state')}
        data={anyOf(t('events.any_state'), EVENT_STATES, (value) => t(`events.state.${value}`))}
        value={state ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ state: (currentTarget.value || undefined) as EventState | undefined })
        }
      />
      <DayFilter
        label={t('events.from')}
        pick={t('lists.pick_day', { label: t('events.from') })}
        value={dateFrom}
        error={backwards && t('events.backwards')}
        onChange={(day) => onChange({ dateFrom: day })}
      />
      <DayFilter
        label={t('events.to')}
        pick={t('lists.pick_day', { label: t('events.to') })}
        value={dateTo}
        onChange={(day) => onChange({ dateTo: day })}
      />
      <MessageField filter={filter} onChange={onChange} />
    </search>
  );
};
