/** Who writes how much, and how the store grows: as charts, and as tables with the same numbers. */
import { ChartColumn } from "lucide";
import { useState } from "preact/hooks";
import type { PageStatisticsAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { number } from "../../app/words";
import { Choice } from "../../parts/field";
import { Head } from "../../parts/head";
import { Empty, Shown } from "../../parts/state";
import { exactly } from "../../parts/time";
import { bytes } from "./bytes";
import { Plot, SERIES_MAX, type Series } from "./plot";
import { statisticsWords } from "./statistics-words";

const DAYS = 30;
const KINDS = ["fact", "document", "decision", "event"] as const;
const TOTALS = {
  fact: "facts",
  document: "documents",
  decision: "decisions",
  event: "events",
} as const;

export default function StatisticsPart() {
  const words = statisticsWords();
  const answer = useAnswer(
    () => call("page_statistics", { days: DAYS }),
    [],
    () => false,
  );
  const [by, setBy] = useState<"who" | "kind">("who");
  return (
    <>
      <Head title={words.title} note={words.note} />
      <Shown answer={answer}>
        {(found) =>
          found.commits === 0 ? (
            <Empty icon={ChartColumn} title={words.empty}>
              <p>{words.emptyHint}</p>
            </Empty>
          ) : (
            <>
              <section class="panel" aria-label={words.writes}>
                <div class="pair">
                  <h2>{words.writes}</h2>
                  <Choice
                    label={words.by}
                    hidesLabel
                    value={by}
                    of={[
                      { value: "who", label: words.byWho },
                      { value: "kind", label: words.byKind },
                    ]}
                    onChange={setBy}
                  />
                </div>
                <Figures
                  title={words.writes}
                  days={found.totals.map((one) => one.day)}
                  series={writesBy(by, found)}
                  isStacked
                />
                <p class="quiet-text">
                  {found.more && found.since
                    ? words.counted(found.commits, exactly(found.since))
                    : words.countedAll(found.commits)}
                </p>
              </section>
              <section class="panel" aria-label={words.totals}>
                <h2>{words.totals}</h2>
                <Figures
                  title={words.totals}
                  days={found.totals.map((one) => one.day)}
                  series={KINDS.map((kind) => ({
                    name: words[kind],
                    counts: found.totals.map((one) => one[TOTALS[kind]]),
                  }))}
                />
                <p class="quiet-text">
                  {words.size}: {bytes(found.sizeBytes)}. {words.searches}
                </p>
              </section>
            </>
          )
        }
      </Shown>
    </>
  );
}

interface FiguresProps {
  title: string;
  days: string[];
  series: Series[];
  isStacked?: boolean;
}

function Figures({ title, days, series, isStacked = false }: FiguresProps) {
  const words = statisticsWords();
  return (
    <>
      <Plot label={words.chart(title)} days={days} series={series} isStacked={isStacked} />
      <details>
        <summary>{words.table}</summary>
        <div class="settings-table" tabIndex={0} role="group" aria-label={title}>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.day}</th>
                {series.map((one) => (
                  <th key={one.name} scope="col" class="figure">
                    {one.name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, index) => (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  {series.map((one) => (
                    <td key={one.name} class="figure">
                      {number(one.counts[index] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

/** Writes of each day by author or by kind; the authors who wrote least are put together. */
function writesBy(by: "who" | "kind", found: PageStatisticsAnswer): Series[] {
  const words = statisticsWords();
  const days = found.totals.map((one) => one.day);
  const sums = new Map<string, number[]>();
  for (const write of found.writes) {
    const day = days.indexOf(write.day);
    if (day < 0) continue;
    const name = by === "who" ? write.who || words.nobody : words[kindOf(write.group)];
    const counts = sums.get(name) ?? days.map(() => 0);
    counts[day] = (counts[day] ?? 0) + write.count;
    sums.set(name, counts);
  }
  const total = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0);
  const all = [...sums].sort(([, a], [, b]) => total(b) - total(a));
  const first = all.slice(0, SERIES_MAX - 1).map(([name, counts]) => ({ name, counts }));
  const rest = all.slice(SERIES_MAX - 1).map(([, counts]) => counts);
  if (rest.length === 0) return first;
  const others = days.map((_, day) => total(rest.map((counts) => counts[day] ?? 0)));
  return [...first, { name: words.others, counts: others }];
}

function kindOf(group: string): (typeof KINDS)[number] | "other" {
  return KINDS.find((kind) => kind === group) ?? "other";
}
