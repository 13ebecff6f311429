/** The settings: a list of the parts that the user may use, and the part that the address names. */
import {
  ArchiveRestore,
  ChartColumn,
  ChevronLeft,
  HeartPulse,
  KeyRound,
  MonitorSmartphone,
  Network,
  Plug,
  ScrollText,
  ShieldAlert,
  Sparkles,
  User,
  Users,
} from "lucide";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { link } from "../../app/location";
import type { ScreenProps } from "../../app/routes";
import { Head } from "../../parts/head";
import { Icon, type IconNode } from "../../parts/icon";
import { Empty, Failed, Shown, Skeleton } from "../../parts/state";
import { settingsWords } from "./words";
import "./settings.css";

interface Part {
  icon: IconNode;
  load: () => Promise<{ default: ComponentType }>;
}

const PARTS = {
  me: { icon: User, load: () => import("./me") },
  people: { icon: Users, load: () => import("./people") },
  teams: { icon: Network, load: () => import("./teams") },
  tokens: { icon: KeyRound, load: () => import("./tokens") },
  clients: { icon: Plug, load: () => import("./clients") },
  secrets: { icon: ShieldAlert, load: () => import("./secrets") },
  models: { icon: Sparkles, load: () => import("./models") },
  backups: { icon: ArchiveRestore, load: () => import("./backups") },
  health: { icon: HeartPulse, load: () => import("./health") },
  statistics: { icon: ChartColumn, load: () => import("./statistics") },
  audit: { icon: ScrollText, load: () => import("./audit") },
} satisfies Record<string, Part>;
type Name = keyof typeof PARTS;

export default function SettingsScreen({ params }: ScreenProps) {
  const words = settingsWords();
  const asked = params["part"] ?? "";
  const answer = useAnswer(
    () => call("page_settings", {}),
    [],
    () => false,
  );
  return (
    <div class={asked ? "settings open" : "settings"}>
      <Shown answer={answer}>
        {({ parts }) => {
          const names = (Object.keys(PARTS) as Name[]).filter((name) => parts.includes(name));
          const shown = names.find((name) => name === (asked || "me"));
          return (
            <>
              <nav class="settings-list" aria-label={words.parts}>
                <h1 class="settings-title">{words.title}</h1>
                {names.map((name) => (
                  <a
                    key={name}
                    href={link(`/settings/${name}`)}
                    aria-current={name === shown ? "page" : undefined}
                  >
                    <Icon of={PARTS[name].icon} />
                    {words[name]}
                  </a>
                ))}
              </nav>
              <div class="settings-page">
                <a class="button quiet settings-back" href={link("/settings")}>
                  <Icon of={ChevronLeft} />
                  {words.back}
                </a>
                {shown ? (
                  <Loaded key={shown} load={PARTS[shown].load} />
                ) : (
                  <>
                    <Head title={words.title} />
                    <Empty icon={MonitorSmartphone} title={words.unknown} />
                  </>
                )}
              </div>
            </>
          );
        }}
      </Shown>
    </div>
  );
}

/** A part is loaded when it is first shown. */
function Loaded({ load }: { load: Part["load"] }) {
  const [state, setState] = useState<{ Part?: ComponentType; failure?: string }>({});
  useEffect(() => {
    load().then(
      (module) => setState({ Part: module.default }),
      (error: unknown) => setState({ failure: String(error) }),
    );
  }, []);
  if (state.failure) return <Failed message={state.failure} retry={() => location.reload()} />;
  return state.Part ? <state.Part /> : <Skeleton />;
}
