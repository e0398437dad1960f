// Shows a moment that may lie in the future: the time, and the day when it is not today.
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', hourCycle: 'h23' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
});

export function Until({ at }: { at: number }) {
  const moment = new Date(at * 1000);
  const isToday = moment.toDateString() === new Date().toDateString();
  return (
    <time dateTime={moment.toISOString()} title={dayAndTime.format(moment)}>
      {(isToday ? time : dayAndTime).format(moment)}
    </time>
  );
}
