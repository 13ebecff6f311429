import { catalogue, number } from "../app/words";

/**
 * For each code of an error: what failed, and what to do about it.
 *
 * The server explains an error in English, more exactly than its code says. An English page shows
 * that, and these sentences where the server sent none. A page in another language shows these.
 */
export const refusalWords = catalogue(
  {
    access_denied: {
      what: "Nothing can be written here.",
      todo: "Go back to now, or sign in with more rights.",
    },
    already_exists: { what: "This name is taken.", todo: "Use another name." },
    conflict: { what: "It has changed meanwhile.", todo: "Load the page again and look at it." },
    damaged: {
      what: "Something here cannot be read.",
      todo: "Check the store under Settings, Health.",
    },
    damaged_bundle: {
      what: "This bundle is damaged.",
      todo: "Make it again, or fetch another copy.",
    },
    damaged_store: {
      what: "The store is damaged.",
      todo: "Check the store under Settings, Health.",
    },
    damaged_update: { what: "An edit of a document cannot be read.", todo: "Load the page again." },
    dimension_mismatch: {
      what: "The vector has another length.",
      todo: "Check which model is set.",
    },
    disk_full: {
      what: "The disk of the server is full. Nothing was changed.",
      todo: "Make room on it, then try again.",
    },
    history_trimmed: {
      what: "This state is older than what the store keeps.",
      todo: "Choose a later time.",
    },
    internal: {
      what: "Strata failed on this.",
      todo: "Look whether it took effect before you repeat it.",
    },
    interrupted: { what: "This was stopped. Nothing was changed.", todo: "Try again." },
    invalid_input: { what: "This cannot be used.", todo: "Change what you wrote, then try again." },
    invalid_key: { what: "This cannot be a name.", todo: "Use another name." },
    invalid_path: {
      what: "This path does not fit the value.",
      todo: "Look at the value, then try again.",
    },
    invalid_time: {
      what: "This is no time in the past of the store.",
      todo: "Choose another time.",
    },
    limit_exceeded: {
      what: "This is more than is allowed.",
      todo: "Make it shorter, or do it in parts.",
    },
    locked: { what: "Another process holds the store.", todo: "Try again in a moment." },
    merge_conflict: {
      what: "Both sides changed the same places.",
      todo: "Compare the branches and choose.",
    },
    network_file_system: {
      what: "The store is on a network drive.",
      todo: "Move it to a disk of the server.",
    },
    newer_format: { what: "A newer Strata wrote this store.", todo: "Update the server." },
    not_a_store: { what: "This file is no store.", todo: "Choose another file." },
    not_allowed: { what: "You may not do this.", todo: "Ask a user who manages it." },
    not_found: { what: "It is not here, or no longer.", todo: "Load the page again." },
    not_signed_in: { what: "You are not signed in.", todo: "Sign in, then try again." },
    other: { what: "The server could not do this.", todo: "Try again in a moment." },
    secret_refused: {
      what: "This holds a key, a token or a password. Nothing was saved.",
      todo: "Write where it is kept, or a placeholder such as ${DB_PASSWORD}.",
    },
    txn_already_active: { what: "A transaction is open.", todo: "End it first." },
    txn_conflict: {
      what: "It has changed meanwhile. Nothing was saved.",
      todo: "Load the page again and look at it.",
    },
    txn_not_active: { what: "The transaction has ended.", todo: "Begin again." },
    unavailable: { what: "This is not possible now.", todo: "Try again in a moment." },
    unusable: { what: "This program cannot work on that store.", todo: "Update the server." },
    update_gap: { what: "An earlier edit is missing.", todo: "Load the page again." },
    version_conflict: {
      what: "It has changed meanwhile. Nothing was saved.",
      todo: "Load the page again and look at it.",
    },
    wrong_type: {
      what: "This has another type than is needed.",
      todo: "Change what you wrote, then try again.",
    },
  },
  {
    access_denied: {
      what: "여기에는 쓸 수 없습니다.",
      todo: "지금 시점으로 돌아가거나, 쓸 수 있는 권한으로 로그인하세요.",
    },
    already_exists: { what: "이미 쓰이고 있는 이름입니다.", todo: "다른 이름을 쓰세요." },
    conflict: {
      what: "그사이에 바뀌어서 할 수 없습니다.",
      todo: "페이지를 새로 고쳐 지금 상태를 확인하세요.",
    },
    damaged: {
      what: "읽을 수 없는 부분이 있습니다.",
      todo: "설정의 상태에서 저장소를 확인하세요.",
    },
    damaged_bundle: { what: "번들이 손상되었습니다.", todo: "다시 만들거나 다른 사본을 쓰세요." },
    damaged_store: {
      what: "저장소가 손상되었습니다.",
      todo: "설정의 상태에서 저장소를 확인하세요.",
    },
    damaged_update: {
      what: "문서의 편집 내용을 읽을 수 없습니다.",
      todo: "페이지를 새로 고치세요.",
    },
    dimension_mismatch: {
      what: "벡터의 길이가 맞지 않습니다.",
      todo: "어떤 모델이 설정되어 있는지 확인하세요.",
    },
    disk_full: {
      what: "서버의 디스크가 가득 찼습니다. 아무것도 바뀌지 않았습니다.",
      todo: "공간을 비운 뒤 다시 시도하세요.",
    },
    history_trimmed: {
      what: "보관 기간이 지나 이 시점은 볼 수 없습니다.",
      todo: "더 나중 시점을 고르세요.",
    },
    internal: {
      what: "Strata에서 오류가 났습니다.",
      todo: "다시 하기 전에, 이미 적용되었는지 확인하세요.",
    },
    interrupted: { what: "중단되었습니다. 아무것도 바뀌지 않았습니다.", todo: "다시 시도하세요." },
    invalid_input: { what: "쓸 수 없는 값입니다.", todo: "고친 뒤 다시 시도하세요." },
    invalid_key: { what: "쓸 수 없는 이름입니다.", todo: "다른 이름을 쓰세요." },
    invalid_path: { what: "값에 맞지 않는 경로입니다.", todo: "값을 확인한 뒤 다시 시도하세요." },
    invalid_time: { what: "이 저장소의 과거 시점이 아닙니다.", todo: "다른 시점을 고르세요." },
    limit_exceeded: { what: "정해진 한도를 넘었습니다.", todo: "줄이거나 나누어서 하세요." },
    locked: { what: "다른 프로세스가 저장소를 쓰고 있습니다.", todo: "잠시 뒤 다시 시도하세요." },
    merge_conflict: {
      what: "양쪽에서 같은 곳을 바꾸었습니다.",
      todo: "브랜치를 비교하여 어느 쪽을 남길지 고르세요.",
    },
    network_file_system: {
      what: "저장소가 네트워크 드라이브에 있습니다.",
      todo: "서버의 디스크로 옮기세요.",
    },
    newer_format: { what: "더 새로운 Strata가 쓴 저장소입니다.", todo: "서버를 업데이트하세요." },
    not_a_store: { what: "저장소 파일이 아닙니다.", todo: "다른 파일을 고르세요." },
    not_allowed: {
      what: "이 일을 할 수 없습니다.",
      todo: "권한이 필요하면 관리하는 사람에게 요청하세요.",
    },
    not_found: { what: "찾는 것이 없거나 이제 없습니다.", todo: "페이지를 새로 고치세요." },
    not_signed_in: { what: "로그인되어 있지 않습니다.", todo: "로그인한 뒤 다시 시도하세요." },
    other: { what: "서버가 처리하지 못했습니다.", todo: "잠시 뒤 다시 시도하세요." },
    secret_refused: {
      what: "키, 토큰 또는 비밀번호가 들어 있어 저장하지 않았습니다.",
      todo: "그 값 대신 보관한 곳이나 ${DB_PASSWORD} 같은 자리표시를 적으세요.",
    },
    txn_already_active: { what: "열린 트랜잭션이 있습니다.", todo: "먼저 그것을 끝내세요." },
    txn_conflict: {
      what: "그사이에 바뀌어서 저장하지 않았습니다.",
      todo: "페이지를 새로 고쳐 지금 상태를 확인하세요.",
    },
    txn_not_active: { what: "트랜잭션이 끝났습니다.", todo: "처음부터 다시 하세요." },
    unavailable: { what: "지금은 할 수 없습니다.", todo: "잠시 뒤 다시 시도하세요." },
    unusable: {
      what: "이 프로그램으로는 그 저장소를 쓸 수 없습니다.",
      todo: "서버를 업데이트하세요.",
    },
    update_gap: { what: "앞선 편집이 빠져 있습니다.", todo: "페이지를 새로 고치세요." },
    version_conflict: {
      what: "그사이에 바뀌어서 저장하지 않았습니다.",
      todo: "페이지를 새로 고쳐 지금 상태를 확인하세요.",
    },
    wrong_type: { what: "필요한 종류의 값이 아닙니다.", todo: "고친 뒤 다시 시도하세요." },
  },
);

type Sentence = (value: string, details: Record<string, unknown>) => string;

/** What a code and a detail beside it say exactly; the server's own sentence then adds nothing. */
const exactly: Record<string, Record<string, Sentence>> = {
  already_exists: {
    branch: (name) => `“${name}” 브랜치가 이미 있습니다.`,
    tag: (name) => `“${name}” 태그가 이미 있습니다.`,
    email: (email) => `이메일이 ${email}인 사용자가 이미 있습니다.`,
    name: (name) => `“${name}”: 이미 쓰이고 있는 이름입니다.`,
  },
  conflict: {
    status: () => "이미 결정된 제안입니다.",
    currentText: (now) =>
      now ? `제안한 뒤에 글이 바뀌었습니다. 지금은 “${now}”입니다.` : "제안한 글이 이제 없습니다.",
  },
  invalid_input: {
    longest: (most) => `이름은 1~${most}자로 쓰고, 앞뒤에 빈칸을, 맨 앞에 하이픈(-)을 쓰지 마세요.`,
  },
  not_allowed: {
    need: (need, { role }) =>
      `“${roleName(need)}” 권한이 필요합니다.${role ? ` 지금 권한: “${roleName(role)}”.` : ""}`,
    documents: (_count, details) => remaining(details),
    folders: (_count, details) => remaining(details),
    teams: (_count, details) => remaining(details),
    branch: (name) => `“${name}” 브랜치에는 다른 브랜치에 없는 작업이 있습니다.`,
    space: (name) => `“${name}” 이름공간이 비어 있지 않습니다.`,
  },
  not_found: {
    branch: (name) => `“${name}” 브랜치가 없습니다.`,
    tag: (name) => `“${name}” 태그가 없습니다.`,
    key: (name) => `“${name}”에 저장된 것이 없습니다.`,
    topic: (name) => `“${name}” 주제에는 결정이 없습니다.`,
    user: (name) => `“${name}” 사용자가 없거나, 공유되어 있지 않습니다.`,
    team: () => "그런 팀이 없습니다. 지워졌을 수 있습니다.",
    agent: () => "그런 에이전트가 없습니다. 지워졌을 수 있습니다.",
    task: () => "그런 작업이 없습니다.",
    document: () => "그런 문서가 없습니다. 옮겨졌거나 삭제되었거나, 나와 공유되지 않았습니다.",
    folder: () => "그런 폴더가 없습니다. 지워졌거나, 나와 공유되지 않았습니다.",
    space: () => "그런 스페이스나 이름공간이 없습니다.",
    link: () => "그런 공유 링크가 없습니다. 이미 거두었을 수 있습니다.",
    comment: () => "그런 댓글이 없습니다. 지워졌을 수 있습니다.",
    suggestion: () => "그런 제안이 없습니다. 거두었을 수 있습니다.",
    version: () => "그런 버전이 없습니다.",
  },
};

/** What the parameter is called that cannot be used. */
const parameters: Record<string, string> = {
  body: "글",
  branch: "브랜치 이름",
  called: "이름",
  confidence: "확신도",
  content_type: "파일 종류",
  email: "이메일",
  endpoint: "주소",
  file: "파일",
  image: "그림",
  key: "이름",
  model: "모델",
  name: "이름",
  outcome: "결과",
  query: "검색어",
  reason: "이유",
  role: "권한",
  source: "브랜치",
  space: "이름공간",
  tag: "태그",
  tags: "태그",
  template: "템플릿",
  time: "시점",
  title: "제목",
  topic: "주제",
  type: "종류",
  url: "주소",
  value: "값",
  variables: "변수",
};

const roles: Record<string, string> = {
  viewer: "읽기",
  commenter: "댓글",
  editor: "편집",
  member: "구성원",
  admin: "관리",
  owner: "소유자",
};

const roleName = (role: unknown): string => roles[String(role)] ?? String(role);

function remaining({ documents, folders, teams, spaces }: Record<string, unknown>): string {
  const counts = Object.entries({ 문서: documents, 폴더: folders, 팀: teams, 스페이스: spaces });
  const found = counts.filter(([, count]) => Number(count) > 0);
  const list = found.map(([name, count]) => `${name} ${number(Number(count))}개`).join(", ");
  return `아직 남아 있는 것이 있습니다: ${list}. 먼저 옮기거나 지우세요.`;
}

/** How much is allowed, and how much it is. */
const bounds = (limit: number, size: number): string =>
  `최대 ${number(limit)}, 지금 ${number(size)}.`;

/** Sentences made of details, which only pages in Korean need: in English the server writes them. */
export const korean = { exactly, parameters, bounds };
