/** A slider over the versions of a document: a tick for each, tall for agents. */
import { ChevronLeft, ChevronRight, Pause, Play } from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { Doer } from "../../api/types";
import { Button } from "../../parts/button";
import { When } from "../../parts/time";
import { Who } from "../../parts/who";
import { historyWords } from "./words";

export interface DocumentVersion {
  version: number;
  when: string;
  who: Doer[];
  operation: string;
  name: string | null;
}

export interface TimelineProps {
  /** Oldest first. */
  versions: readonly DocumentVersion[];
  at: number;
  onMove: (at: number) => void;
}

const STEP_MS = 900;
const HEIGHT = 24;

export function Timeline({ versions, at, onMove }: TimelineProps) {
  const words = historyWords();
  const [isPlaying, setPlaying] = useState(false);
  const last = versions.length - 1;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => (at < last ? onMove(at + 1) : setPlaying(false)), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, at, last]);
  const play = (): void => {
    if (!isPlaying && at === last) onMove(0);
    setPlaying(!isPlaying);
  };
  const one = versions[at]!;
  return (
    <section class="timeline" aria-label={words.version}>
      <div class="timeline-track">
        <Button
          kind="quiet"
          icon={isPlaying ? Pause : Play}
          label={isPlaying ? words.pause : words.play}
          onClick={play}
        />
        <Button
          kind="quiet"
          icon={ChevronLeft}
          label={words.earlier}
          disabled={at === 0}
          onClick={() => onMove(at - 1)}
        />
        <div class="timeline-slider">
          <Ticks versions={versions} at={at} />
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label={words.version}
            aria-valuetext={words.versionOf(at + 1, versions.length)}
            onInput={(event) => onMove(Number(event.currentTarget.value))}
          />
        </div>
        <Button
          kind="quiet"
          icon={ChevronRight}
          label={words.later}
          disabled={at === last}
          onClick={() => onMove(at + 1)}
        />
      </div>
      <p class="timeline-about" aria-live="polite">
        {one.name && <strong>{words.named(one.name)}</strong>}
        {one.who.map((who) => (
          <Who key={`${who.person} ${who.agent} ${who.label}`} {...who} />
        ))}
        <span>{done(one.operation)}</span>
        <When at={one.when} />
        <span class="quiet-text">{words.versionOf(at + 1, versions.length)}</span>
      </p>
    </section>
  );
}

/** What was done, in words where there are some. */
function done(operation: string): string {
  const words = historyWords();
  const known: Record<string, string> = {
    create: words.create,
    live: words.live,
    edit: words.edit,
    write: words.write,
    restore: words.restoreDone,
    merge: words.merge,
    accept: words.accept,
  };
  return known[operation] ?? operation;
}

function Ticks({ versions, at }: { versions: readonly DocumentVersion[]; at: number }) {
  const last = Math.max(1, versions.length - 1);
  return (
    <svg class="ticks" viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {versions.map((one, index) => {
        const isAgent = one.who.some((who) => who.agent);
        const height = isAgent ? HEIGHT : HEIGHT / 2;
        const names = [isAgent ? "tick-agent" : "tick-person", index === at && "tick-now"];
        return (
          <rect
            key={one.version}
            class={names.filter(Boolean).join(" ")}
            x={(index / last) * 996}
            y={HEIGHT - height}
            width={one.name ? 5 : 3}
            height={height}
          />
        );
      })}
    </svg>
  );
}
