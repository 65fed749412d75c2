import { useQuery } from '@tanstack/react-query';
import { ask } from '../api.js';
import { DatasetStatisticsDocument } from '../generated.js';
import { Problem } from '../problem.js';
import { numbers, timeText } from '../words.js';

interface Point {
  time: number;
  value: number;
}

const WIDTH = 240;
const HEIGHT = 60;

/** Rows, queries and users of a dataset over time. */
export function Statistics({ urn }: { urn: string }) {
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['statistics', urn],
    queryFn: ({ signal }) => ask(DatasetStatisticsDocument, { urn }, { signal }),
  });
  if (error) return <Problem error={error} retry={refetch} />;
  if (isPending) return <p role="status">Loading…</p>;
  const series = <Row extends { timestampMillis: number }>(
    rows: Row[] | null | undefined,
    of: (row: Row) => number | null,
  ): Point[] =>
    (rows ?? [])
      .flatMap((row) => {
        const value = of(row);
        return value === null ? [] : [{ time: row.timestampMillis, value }];
      })
      .sort((a, b) => a.time - b.time);
  const { datasetProfiles, usageStatistics } = data.dataset ?? {};
  const plots = (
    [
      ['Rows', series(datasetProfiles, ({ rowCount }) => rowCount)],
      ['Bytes', series(datasetProfiles, ({ sizeInBytes }) => sizeInBytes)],
      ['Queries', series(usageStatistics, ({ totalSqlQueries }) => totalSqlQueries)],
      ['Users', series(usageStatistics, ({ uniqueUserCount }) => uniqueUserCount)],
    ] as const
  ).filter(([, points]) => points.length > 0);
  if (plots.length === 0) return <p>Nobody has reported statistics of this dataset.</p>;
  return (
    <div className="plots">
      {plots.map(([title, points]) => (
        <Plot key={title} title={title} points={points} />
      ))}
    </div>
  );
}

function Plot({ title, points }: { title: string; points: readonly Point[] }) {
  const [times, values] = [points.map(({ time }) => time), points.map(({ value }) => value)];
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const top = Math.max(...values, 1);
  const line = points
    .map(({ time, value }) => {
      const x = to === from ? WIDTH / 2 : ((time - from) / (to - from)) * (WIDTH - 8) + 4;
      return `${x.toFixed(1)},${(HEIGHT - 4 - (value / top) * (HEIGHT - 8)).toFixed(1)}`;
    })
    .join(' ');
  return (
    <figure className="plot">
      <figcaption>
        {title} <b>{numbers.format(values.at(-1)!)}</b>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <polyline points={line} />
        {points.length === 1 && <circle cx={WIDTH / 2} cy={line.split(',')[1]} r="3" />}
      </svg>
      <details>
        <summary>Values</summary>
        <dl className="fields">
          {points.toReversed().map(({ time, value }) => (
            <div key={time}>
              <dt>{timeText(time)}</dt>
              <dd>{numbers.format(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </figure>
  );
}
