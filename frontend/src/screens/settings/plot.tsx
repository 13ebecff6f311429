/** A chart of numbers a day. It draws on a canvas, so its colours are read from the page's own. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { language, theme } from "../../app/settings";
import { number } from "../../app/words";

export interface Series {
  name: string;
  /** One number a day. */
  counts: number[];
}

export interface PlotProps {
  label: string;
  days: string[];
  series: Series[];
  /** Bars on top of each other instead of lines. */
  isStacked?: boolean;
}

const HEIGHT = 220;
const FONT = "12px Inter, system-ui, sans-serif";
const INKS = ["--accent", "--comment-line", "--person-ink", "--removed-ink", "--control", "--code"];
// The caller puts the rest together.
export const SERIES_MAX = INKS.length;

export function Plot({ label, days, series, isStacked = false }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const [shown, show] = useState<number | null>(null);
  const [scheme, setScheme] = useState(0);
  useEffect(() => {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const change = (): void => setScheme((before) => before + 1);
    system.addEventListener("change", change);
    return () => system.removeEventListener("change", change);
  }, []);
  const data = JSON.stringify([days, series, isStacked]);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = draw(element, days, series, { isStacked, show });
    const observer = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, theme.value, language.value, scheme]);
  return (
    <>
      <ul class="legend">
        {series.map((one, index) => (
          <li key={one.name}>
            <i style={{ background: `var(${INKS[index]})` }} aria-hidden="true" />
            {one.name}
            {shown !== null && ` ${number(one.counts[shown] ?? 0)}`}
          </li>
        ))}
        <li class="quiet-text">{shown !== null && days[shown]}</li>
      </ul>
      <div ref={box} role="img" aria-label={label} />
    </>
  );
}

interface How {
  isStacked: boolean;
  show: (index: number | null) => void;
}

function draw(element: HTMLElement, days: string[], series: Series[], how: How): uPlot {
  const ink = (name: string): string => inked(element, `var(${name})`);
  const inks = INKS.map(ink);
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1000);
  const lines = how.isStacked ? stacked(series) : series.map((one) => one.counts);
  // The highest bar is drawn first, so that the ones below it are seen.
  const order = series.map((_, index) => index);
  if (how.isStacked) order.reverse();
  const axis = {
    stroke: ink("--soft"),
    font: FONT,
    grid: { stroke: ink("--line"), width: 1 },
    ticks: { show: false },
  };
  const short = new Intl.DateTimeFormat(language.peek(), {
    month: "short",
    day: "numeric",
    timeZone: "UTC",
  });
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        x: { time: true, range: (_plot, low, high) => [low - 43_200, high + 43_200] },
        y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.05)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 60,
          // Far enough below the figure of the other axis.
          gap: 12,
          size: 40,
          values: (_plot, at) => at.map((one) => short.format(one * 1000)),
        },
        {
          ...axis,
          size: 44,
          values: (_plot, at) => at.map((one) => (Number.isInteger(one) ? number(one) : "")),
        },
      ],
      series: [
        {},
        ...order.map((index) => ({
          label: series[index]?.name ?? "",
          stroke: inks[index] ?? "",
          width: how.isStacked ? 0 : 2,
          points: { show: !how.isStacked && days.length < 15, size: 5 },
          ...(how.isStacked
            ? {
                fill: inks[index] ?? "",
                paths: uPlot.paths.bars?.({ size: [0.7, 40] }) as uPlot.Series.PathBuilder,
              }
            : {}),
        })),
      ],
      hooks: { setCursor: [(plot) => how.show(plot.cursor.idx ?? null)] },
    },
    [times, ...order.map((index) => lines[index] ?? [])],
    element,
  );
}

/** The numbers with those of the series before them added. */
function stacked(series: Series[]): number[][] {
  const sums: number[][] = [];
  for (const { counts } of series) {
    const below = sums.at(-1);
    sums.push(counts.map((count, day) => count + (below?.[day] ?? 0)));
  }
  return sums;
}

/** A colour as a canvas takes it: what the browser makes of a token in this theme. */
function inked(element: HTMLElement, colour: string): string {
  const probe = document.createElement("i");
  probe.style.color = colour;
  element.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
