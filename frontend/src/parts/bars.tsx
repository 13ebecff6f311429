/** Small bars, one a day: a sketch for the eye beside a number that says the same. */

export interface BarsProps {
  counts: readonly number[];
  height: number;
  /** What a bar is about; on hover. */
  title?: (index: number) => string;
  /** What the bars tell, for those who do not see them; none where text beside them does. */
  label?: string;
  onChoose?: (index: number) => void;
}

const STEP = 8;

export function Bars({ counts, height, title, label, onChoose }: BarsProps) {
  const most = Math.max(1, ...counts);
  return (
    <svg
      class={onChoose ? "bars chosen-by" : "bars"}
      viewBox={`0 0 ${counts.length * STEP} ${height}`}
      height={height}
      preserveAspectRatio="none"
      {...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" })}
    >
      {counts.map((count, index) => {
        const tall = count === 0 ? 1 : Math.max(2, (count / most) * height);
        return (
          <g key={index} onClick={() => count > 0 && onChoose?.(index)}>
            <rect class="bar-room" x={index * STEP} y={0} width={STEP} height={height} />
            <rect
              class={count === 0 ? "bar none" : "bar"}
              x={index * STEP + 1}
              y={height - tall}
              width={STEP - 2}
              height={tall}
            />
            {title && <title>{title(index)}</title>}
          </g>
        );
      })}
    </svg>
  );
}
