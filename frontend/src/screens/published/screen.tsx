/** Pages that everyone can read: what each shows, what has changed since, and the profile. */
import {
  Copy,
  Ellipsis,
  ExternalLink,
  EyeOff,
  FileText,
  Globe,
  History,
  Pencil,
  Pin,
  PinOff,
} from "lucide";
import { useEffect, useState } from "preact/hooks";
import type { PagePublishedAnswer } from "../../../../docs/reference/page";
import { call } from "../../api/tools";
import { useAnswer } from "../../app/answers";
import { link, time } from "../../app/location";
import { Button } from "../../parts/button";
import { Head } from "../../parts/head";
import { Icon } from "../../parts/icon";
import { Actions, Float, type Action } from "../../parts/menu";
import { tellError } from "../../parts/notices";
import { Empty, Shown } from "../../parts/state";
import { When } from "../../parts/time";
import { partWords } from "../../parts/words";
import { ProfileForm, type Profile } from "./profile";
import { copyAddress, FrozenVersions, Publish, readable, Unpublish } from "./publishing";
import { publishedWords } from "./words";

type Page = PagePublishedAnswer["pages"][number];
type Opened = { what: "publish" | "unpublish" | "versions"; page: Page };

export default function PublishedScreen() {
  const words = publishedWords();
  const answer = useAnswer(() => call("page_published", {}), []);
  const profile = useAnswer(
    () => call("page_profile", {}),
    [],
    () => false,
  );
  const [more, setMore] = useState<PagePublishedAnswer | null>(null);
  const [opened, open] = useState<Opened | null>(null);
  const [isEditing, edit] = useState(false);
  useEffect(() => setMore(null), [answer.value]);
  const fetchMore = async (after: string): Promise<void> => {
    try {
      const found = await call("page_published", { after });
      setMore({ pages: [...(more?.pages ?? []), ...found.pages], next: found.next });
    } catch (error) {
      tellError(error);
    }
  };
  const given = opened && {
    documentId: opened.page.documentId,
    title: opened.page.title,
    onClose: () => open(null),
    onDone: answer.reload,
  };
  return (
    <div class="screen">
      <Head title={words.title} note={words.note} />
      <Shown answer={profile}>
        {(found) => (
          <ProfileCard
            profile={found}
            isShown={answer.value?.pages.some((page) => page.isPublic) ?? false}
            edit={() => edit(true)}
          />
        )}
      </Shown>
      <Shown answer={answer}>
        {(found) => {
          const pages = [...found.pages, ...(more?.pages ?? [])];
          const next = more ? more.next : found.next;
          if (pages.length === 0)
            return (
              <div class="published-empty">
                <Empty icon={Globe} title={words.empty}>
                  <p>{words.emptyHint}</p>
                  <a class="button" href={link("/docs")}>
                    {words.documents}
                  </a>
                </Empty>
              </div>
            );
          return (
            <>
              <ul class="card-list" aria-label={words.list}>
                {pages.map((page) => (
                  <PageRow
                    key={page.documentId}
                    page={page}
                    open={(what) => open({ what, page })}
                    onDone={answer.reload}
                  />
                ))}
              </ul>
              {next !== null && (
                <Button class="more" onClick={() => void fetchMore(next)}>
                  {partWords().loadMore}
                </Button>
              )}
            </>
          );
        }}
      </Shown>
      {given && opened?.what === "publish" && <Publish {...given} />}
      {given && opened?.what === "unpublish" && <Unpublish {...given} />}
      {given && opened?.what === "versions" && <FrozenVersions {...given} />}
      {isEditing && profile.value && (
        <ProfileForm
          profile={profile.value}
          onClose={() => edit(false)}
          onDone={() => {
            profile.reload();
            answer.reload();
          }}
        />
      )}
    </div>
  );
}

function ProfileCard(given: { profile: Profile; isShown: boolean; edit: () => void }) {
  const words = publishedWords();
  const { profile, isShown, edit } = given;
  return (
    <section class="profile-card" aria-label={words.profile}>
      <span class="profile-face" aria-hidden="true">
        {[...profile.title.trim()][0]?.toUpperCase()}
      </span>
      <div class="profile-main">
        <h2>{profile.title}</h2>
        <p class="public-address">
          {isShown ? (
            <a href={profile.path} target="_blank" rel="noopener">
              {readable(profile.url)}
            </a>
          ) : (
            <span>{readable(profile.url)}</span>
          )}
        </p>
        <p class={profile.about ? "profile-about" : "quiet-text"}>
          {profile.about || words.noAbout}
        </p>
        {!isShown && <p class="quiet-text">{words.profileEmpty}</p>}
      </div>
      {time.value === null && <Button icon={Pencil} label={words.editProfile} onClick={edit} />}
    </section>
  );
}

interface RowProps {
  page: Page;
  open: (what: Opened["what"]) => void;
  onDone: () => void;
}

function PageRow({ page, open, onDone }: RowProps) {
  const words = publishedWords();
  const isNow = time.value === null;
  const isHere = page.hasChanges !== null;
  const pin = async (): Promise<void> => {
    try {
      await call("page_pin", { documentId: page.documentId, isPinned: !page.isPinned });
    } catch (error) {
      tellError(error);
    }
    onDone();
  };
  return (
    <li class="published-row">
      <div class="published-main">
        <p class="published-name">
          {isHere ? (
            <a href={link(`/d/${encodeURIComponent(page.documentId)}`)}>{page.title}</a>
          ) : (
            <span>{page.title}</span>
          )}
          <span class={page.isPublic ? "status good" : "status"}>
            {page.isPublic ? words.isPublic : words.isDraft}
          </span>
          {page.isPublic && page.hasChanges && <span class="status late">{words.changed}</span>}
          {!isHere && <span class="tag">{words.elsewhere}</span>}
          {page.isPinned && (
            <span class="tag">
              <Icon of={Pin} />
              {words.pinned}
            </span>
          )}
        </p>
        {page.isPublic && (
          <p class="public-address">
            <a href={page.path} target="_blank" rel="noopener">
              {readable(page.url)}
            </a>
          </p>
        )}
        <p class="hit-detail">
          {page.number !== null && <span>{words.version(page.number, page.versions)}</span>}
          {page.published && <When at={page.published} />}
        </p>
      </div>
      {isNow && isHere && (!page.isPublic || page.hasChanges) && (
        <Button small icon={Globe} onClick={() => open("publish")}>
          {words.publish}
        </Button>
      )}
      <Float
        class="button quiet bare small"
        align="end"
        label={words.actions(page.title)}
        face={<Icon of={Ellipsis} />}
      >
        {(close) => (
          <Actions of={actionsOf(page, isNow && isHere, open, () => void pin())} close={close} />
        )}
      </Float>
    </li>
  );
}

function actionsOf(
  page: Page,
  mayChange: boolean,
  open: (what: Opened["what"]) => void,
  pin: () => void,
): Action[] {
  const words = publishedWords();
  const copy = { label: words.copy, icon: Copy, act: () => void copyAddress(page.url) };
  const look = {
    label: words.open,
    icon: ExternalLink,
    act: () => void window.open(page.path, "_blank", "noopener"),
  };
  const path = link(`/d/${encodeURIComponent(page.documentId)}`);
  return [
    ...(page.isPublic ? [look, copy] : []),
    ...(page.hasChanges === null ? [] : [{ label: words.document, icon: FileText, href: path }]),
    ...(mayChange ? [{ label: words.versions, icon: History, act: () => open("versions") }] : []),
    ...(mayChange && page.isPublic
      ? [
          {
            label: page.isPinned ? words.unpin : words.pin,
            icon: page.isPinned ? PinOff : Pin,
            act: pin,
          },
          {
            label: words.unpublish,
            icon: EyeOff,
            isDangerous: true,
            act: () => open("unpublish"),
          },
        ]
      : []),
  ];
}
