"""Every upper bound in the product, each with its reason.

Sizes are bytes of UTF-8 unless the name says otherwise. An error that refuses something
because of a limit names the limit and states both numbers.
"""

# A key is in its row and in an index; one KiB lets three fit on a 4 KiB page.
KEY_BYTES_MAX = 1024
# One value is read, hashed and sent whole; beyond this a document or an upload fits better.
VALUE_BYTES_MAX = 16 * 1024 * 1024
# Containers deeper than this are a mistake or an attack on recursive readers.
VALUE_DEPTH_MAX = 512
# Branch, space, collection, tag and setting names appear in listings and file names.
NAME_CHARACTERS_MAX = 200
# One call is one commit, held in memory while it is staged.
ITEMS_MAX = 100_000
TAGS_MAX = 64
TAG_CHARACTERS_MAX = 200
# The note that goes with a commit, not a document.
MESSAGE_CHARACTERS_MAX = 4_000
ACTOR_CHARACTERS_MAX = 200
# What a commit keeps of its actor: two names, and the ids of a user and a task.
SIGNATURE_CHARACTERS_MAX = 500
# What an author does after a pause of so long is another run, or another sitting.
RUN_PAUSE_S = 900.0
# A page of activity looks at so many commits, and shows so many things of a run.
ACTIVITY_COMMITS_MAX = 2_000
ACTIVITY_THINGS_MAX = 20
# Longer texts are not compared to count the words that a run changed.
ACTIVITY_TEXT_BYTES_MAX = 200_000
# What is taken back at once: a long run of an agent, or an hour of typing.
REVERT_COMMITS_MAX = 5_000
# Of a commit, so many rows are looked at to tell what it touched; an import has a hundred thousand.
TOUCHED_ROWS_MAX = 500
# Answers are bounded; more is fetched page by page.
PAGE_ITEMS_MAX = 10_000
# float32 rows of a collection are held in memory for exact search.
VECTOR_DIMENSION_MAX = 8_192
VECTOR_RESULTS_MAX = 10_000
# A path is parsed and walked recursively.
PATH_CHARACTERS_MAX = 4_096
PATH_STEPS_MAX = 64
# A transaction that loses so often fails instead of trying for ever.
COMMIT_ATTEMPTS = 64
# A transaction that a client left open is rolled back when it was not used for this long.
TRANSACTION_IDLE_S = 300.0
# What a copy of a store writes at once, and keeps if it is cut short after that.
COPIED_ROWS = 1_000
COPIED_BYTES = 4_194_304
# How long a writer waits for the others before it gives up.
LOCK_WAIT_S = 30.0
# Connections that the threads of one process share to a workspace in PostgreSQL. By default
# a server allows a hundred in all, and each takes some megabytes there.
POSTGRES_CONNECTIONS = 12
# Statements that stay prepared on each of them: all that Strata has.
POSTGRES_STATEMENTS = 500
# How long server and client keep a connection on which the other says nothing any more, because
# its machine or the network is gone: shorter than writers wait for a lock.
POSTGRES_SILENCE_S = 20.0
# How long a server believes that it hears the hints of its database after one has arrived.
HINT_TRUST_S = 15.0
# How long it waits before it connects again to hear them.
HINT_PAUSE_S = 2.0
# How long it listens before it checks whether the store was closed.
HINT_CLOSE_S = 0.5
# Parts that a table of a Citus cluster has, and so the most nodes that workspaces can be spread
# over. More cannot be had later without stopping writers.
CITUS_SHARDS = 32
# Clocks of a machine and of the database that differ by less are taken for equal.
CLOCK_DIFFERENCE_S = 0.5
# How long a commit waits for a database that it lost the connection to, to ask whether it was made:
# a restart or the promotion of a replica takes seconds.
RECONNECT_WAIT_S = 60.0
# How long it pauses between two attempts.
RECONNECT_PAUSE_S = 0.2
# How long the database keeps the id of the last commit of a writer that has ended.
COMMIT_REQUEST_S = 86_400.0
# How long closing waits for a statement of another thread that it has stopped, and how often
# it looks.
CLOSE_WAIT_S = 10.0
CLOSE_PAUSE_S = 0.001
# How often a thread that waits for other threads checks whether the store was closed.
CLOSE_LOOK_S = 1.0
# Sleeps between attempts on the lock; measured: jitter beats SQLite's own timeout four times.
LOCK_PAUSE_MIN_S = 0.0005
LOCK_PAUSE_MAX_S = 0.003
# The same for the first in line, when all others wait behind it without asking.
FIRST_PAUSE_MIN_S = 0.0005
FIRST_PAUSE_MAX_S = 0.0015
# How long a writer respects the line; its first member may be a suspended process.
LINE_WAIT_S = 1.0
# A deleted branch can be brought back for this long.
BRANCH_KEPT_S = 30 * 24 * 3600
# A holder of background work that is silent for this long has lost it.
LEASE_S = 15.0
LEASE_S_MAX = 24 * 3600.0
# Values from this size on are compressed: there zstd saves two fifths and costs half a put.
# Smaller ones would double the time of a get for a quarter of their space.
COMPRESS_BYTES_MIN = 1024
# A bundle that expands to more than this is taken for a bomb,
BUNDLE_BYTES_MAX = 64 * 1024**3
# and so is one that expands by more than this factor,
BUNDLE_RATIO_MAX = 2_000
# unless it stays below this: large values of one repeated letter compress that well.
BUNDLE_HARMLESS_BYTES = 1024**3
# One commit of a bundle is read whole.
BUNDLE_COMMIT_BYTES_MAX = 512 * 1024 * 1024
# A commit that is larger than this must not expand by more than the factor above either.
BUNDLE_COMMIT_HARMLESS_BYTES = 64 * 1024 * 1024
# Commits of one pack that a remote gets, and their bytes: a connection that is cut loses no more.
PACK_COMMITS = 20_000
PACK_BYTES = 16 * 1024 * 1024
# A manifest of a remote that is larger is refused.
REMOTE_MANIFEST_BYTES_MAX = 64 * 1024 * 1024
# A pack that another store sends to a server: one commit may be much larger than packs are.
REMOTE_PACK_BYTES_MAX = 1024**3
# A commit of a remote may be dated so much after this machine's clock, in seconds.
REMOTE_AHEAD_S = 86_400
# How long a remote may take to answer, in seconds.
REMOTE_TIMEOUT_S = 60.0
# How long a server may take to take a push in, in seconds.
REMOTE_PUSH_TIMEOUT_S = 3_600.0
# How long a server keeps packs of a push that does not go on, in seconds.
REMOTE_PACK_KEPT_S = 86_400
# How long git may take for one step with a remote, in seconds.
REMOTE_GIT_TIMEOUT_S = 3_600.0
# How long a push or a pull waits for another process that syncs with the same remote, in seconds.
REMOTE_TURN_S = 10.0
# How often a request to a server is tried when the connection is cut.
REMOTE_TRIES = 4
# Seconds before the second try; before each further one they double.
REMOTE_PAUSE_S = 0.25
# A line of a file to import is read whole: a value of the largest size, each letter escaped.
EXCHANGE_LINE_BYTES_MAX = 8 * VALUE_BYTES_MAX
# Values of one import that wait in memory; what comes behind them is a commit of its own.
IMPORT_COMMIT_BYTES = 64 * 1024 * 1024
# A line of a client's transcript may hold images; longer ones are passed over. Of a turn with more
# text than this, as of a log that was pasted, the beginning is kept.
TRANSCRIPT_LINE_BYTES_MAX = 64 * 1024 * 1024
TURN_CHARACTERS_MAX = 1_000_000
# Turns of one import that are one commit: few enough to follow the progress, and to lose little
# of it when the import is cut off.
TURNS_A_COMMIT = 1_000
TURNS_A_COMMIT_BYTES = 8 * 1024 * 1024
# Pages of the log before a writer folds them into the main file: 16 MiB. A longer log folds
# pages that are written again and again once; a shorter one is read and recovered sooner.
CHECKPOINT_PAGES = 4_000
# Versions between two checkpoints of the numbers of keys and commits. What came after the last one
# is counted when a caller asks, at a microsecond each.
COUNTED_VERSIONS = 256
# Versions that are counted in one transaction: others wait for it no longer than for a large put.
COUNTED_AT_ONCE = 64 * COUNTED_VERSIONS
# A process that reads so many values within this time holds the read lock between them, and
# lets it go so long after the last one.
READS_TO_HOLD = 64
READ_HOLD_S = 0.02
# How often an opened store looks whether its file is still there, and whether another process
# has purged something: a purge is promised to reach every process within a second.
WATCH_S = 0.4
# Things written under one folder of keys within this time belong to one sequence.
SEQUENCE_GAP_S = 30 * 60
# Words that a process takes for known, so that a put need not write them again.
SEEN_WORDS_MAX = 50_000
# A question is a sentence or two; more words only take longer and find no better.
QUERY_BYTES_MAX = 4 * 1024
SEARCH_RESULTS_MAX = 1_000
# Of a longer text only the beginning is searched: cutting up sixteen megabytes of the worst
# kind would take a put many seconds. A snippet looks no farther either.
INDEXED_CHARACTERS_MAX = 2_000_000
# Entries of the text index are sealed into a segment when so many versions have come: a search
# looks at all others one by one, which takes a millisecond for two thousand of them.
SEAL_VERSIONS = 2_048
# A process without work in the background seals before a search that would have to look at more.
UNSEALED_MAX = 8_192
# Segments with fewer items are merged when eight of them follow each other; those with fewer than
# three times as many, when three do. None becomes larger than 65,536 items.
SEGMENT_ITEMS_FEW = 16_384
# A segment is written anew when this share of its live items has been replaced.
SEGMENT_REPLACED_SHARE = 0.25
# What a process keeps in memory of segments.
INDEX_CACHE_BYTES = 48 * 1024 * 1024
# A store with at most so many items is ranked as a whole, exactly.
RANKED_WHOLE_MAX = 4_096
# Of a larger one at least so many items whose words match best are ranked by everything that is
# known of them, and one of every so many.
CANDIDATES_MIN = 2_048
CANDIDATES_SHARE = 500
# Words that a prefix may be completed to.
COMPLETIONS_MAX = 64
# Words of the store that are considered for this: some may occur in no searched text.
COMPLETIONS_LOOKED_AT = 1_024
# Pieces of question and texts that the judge reads for one search: a tenth of a second. Twenty
# turns of a conversation have as many, or a dozen long messages.
JUDGED_PIECES_MAX = 2_000
# How long a search waits for its model when meaning was asked for, and when words would do.
MODEL_WAIT_S = 30.0
MODEL_WAIT_AUTO_S = 1.0
# A clock this far behind the newest commit is worth a warning.
CLOCK_SKEW_S = 60.0
# A model that was not used for this long releases its memory.
MODEL_IDLE_S = 600.0
# One that could not be loaded is tried again after so long: an endpoint may be back by then.
MODEL_RETRY_S = 30.0
# How long a fork waits for a model that is just being loaded; shipped ones take half a second.
MODEL_LOAD_S = 10.0
# An endpoint may be a small machine that loads its model at the first question.
ENDPOINT_TIMEOUT_S = 60.0
# Busy or failing endpoints are asked again, after pauses that double up to the longest.
ENDPOINT_ATTEMPTS = 4
ENDPOINT_PAUSE_MIN_S = 0.5
ENDPOINT_PAUSE_MAX_S = 20.0
# Texts that go to an endpoint in one request: enough to share its cost, not too many to repeat.
ENDPOINT_TEXTS_MAX = 64
# An answer is read whole; 64 vectors of 8,192 numbers as JSON take about 10 MiB.
ENDPOINT_ANSWER_BYTES_MAX = 64 * 1024 * 1024
# Texts whose vectors one transaction writes, and how long they may take to make: what is lost
# when the process dies, and what a change of mind has to wait for.
EMBED_BATCH_ITEMS = 256
EMBED_BATCH_S = 1.0
# Threads that run a model side by side, if there are so many cores: the others are for the
# programs that wait for an answer.
EMBED_WORKERS_MAX = 4
# Characters given to each of them before commits and a wish to stop are looked for: a tenth of
# a second's work.
EMBED_GROUP_CHARACTERS = 2_000
# Vectors of a long text; what follows is found by its words.
EMBED_CHUNKS_MAX = 16
# Embeddings that keep a vector for each token, newest first: 1.4 KB each for texts of 25 words.
EMBED_TOKENS_ITEMS_MAX = 100_000
# How often a process looks for texts that others wrote,
EMBED_LOOK_S = 3.0
# how long no commit may have come before it begins, or goes on with the next text,
EMBED_GATHER_S = 0.05
# how long it puts off a beginning, and the next text, while commits come without a pause,
EMBED_GATHER_MAX_S = 2.0
EMBED_YIELD_S = 0.25
# and how long it rests when it can do nothing for what is there.
EMBED_REST_S = 30.0
# By so much the priority of its threads is lower than that of the others: where the cores are
# busy, those get nine tenths of the time.
EMBED_NICE = 10
# A command that ends soon makes pending vectors for so long before it searches.
EMBED_CATCH_UP_S = 1.0
# A server looks for pending vectors so long after its start: the first reply comes first.
EMBED_BEGIN_S = 1.0
# Rows of a replaced model that one transaction removes.
EMBED_REMOVE_ROWS = 500
# Versions without text that a model's position may lag behind before it is moved.
EMBED_SKIP_VERSIONS = 10_000
# Vectors of a model that a process holds whole; of more it holds the signs, and reads the vectors
NEAREST_HELD_MAX = 20_000
# of so many that are nearest by their signs: of the ten nearest that leaves out one in a hundred.
NEAREST_RESCORED = 800
# How long a server goes by what the last prompt was about: the next one comes within a minute
# or so, and an old guess hides tools.
CONTEXT_S = 60.0
# How long a client has to list its tools after the server announced a change.
RELIST_S = 0.5
# How often a server looks for the context of a hook: well below what a user notices.
CONTEXT_LOOK_S = 0.05
# How long it is remembered that a client does not ask; a new version is asked anew anyway.
CLIENT_KEPT_S = 30 * 24 * 3600
# Characters of a prompt that decide its context: users ask at the beginning or the end, and paste
# other text in between.
PROMPT_CHARACTERS_MAX = 2_000
# Words, texts and seconds of a quick search by a hook: with the start of a process it must stay
# below what a user notices.
LOOK_WORDS_MAX = 24
LOOK_TEXTS_MAX = 20_000
LOOK_S = 0.02
# Seconds for what is sealed, newest segments first: a million texts take a quarter of it.
LOOK_SEALED_S = 0.1
# How many sealed texts that hold the rarest words are looked at, in how many postings of other
# words these are looked up, and how many are looked at closely.
LOOK_POSTINGS = 20_000
LOOK_POSTINGS_MORE = 100_000
LOOK_CANDIDATES = 100
# Vectors that a prompt is compared with: 5 ms. Most texts have one.
LOOK_VECTORS = 400
# What one look of the curator proposes at most: more than this no user decides about in a sitting.
CURATOR_FINDINGS_MAX = 200
# Facts, memories and files that it looks at: minutes. Of a fact it keeps 150 bytes.
CURATOR_FACTS_MAX = 1_000_000
CURATOR_MEMORIES_MAX = 10_000
CURATOR_FILES_MAX = 500
# How often it tells how far it is, and looks whether it should stop.
CURATOR_TOLD_FACTS = 1_000
# Rejected proposals that it remembers, newest first.
CURATOR_REJECTIONS_MAX = 10_000
# How long git may take to tell when a file has changed.
GIT_S = 10.0
# Versions that a branch of proposals takes over from its base before a write: a merge of more would
# keep the proposer waiting, who can propose without them.
PROPOSALS_CATCH_UP_VERSIONS = 10_000
# How long a hook may take before it answers nothing. It takes a tenth of this, but a machine may
# be busy.
HOOK_S = 1.0
# A hook's input is a prompt and a few ids; no user writes a longer prompt.
HOOK_BYTES_MAX = 64 * 1024 * 1024
# What a hook adds to a prompt at most, in tokens, and how many things.
HOOK_TOKENS_MAX = 600
HOOK_HITS_MAX = 5
# Tokens of a store: one for each client and each machine, not for each request.
TOKENS_MAX = 1_000
# How often the use of a token is recorded: a write for every request would be too many.
TOKEN_TOUCH_S = 60.0
# A user types a sign-in code at once or not at all, and may have a few codes at a time.
SIGN_IN_CODE_S = 600.0
SIGN_IN_CODES_MAX = 5
# Failed sign-ins within a minute, from one address and from all: too few to guess 49 bits or to
# keep a server busy.
SIGN_IN_FAILURES_MAX = 20
SIGN_IN_FAILURES_OF_ALL_MAX = 300
# After that, the server checks attempts of an address one by one, with a pause before each; so many
# may wait.
SIGN_IN_PAUSE_S = 1.0
SIGN_IN_WAITING_MAX = 10
# Links that let users into a document or a team: how long one is good at most and by default, how
# many may use one, and how many a document or a team has at a time.
SHARE_LINK_DAYS = 7
SHARE_LINK_DAYS_MAX = 365
SHARE_LINK_USES_MAX = 1_000
SHARE_LINKS_MAX = 50
# How long a browser stays signed in after its last use, how often the use is recorded, how many
# browsers a user may have, and how long a browser's label may be.
BROWSER_S = 30 * 24 * 3600.0
BROWSER_TOUCH_S = 3600.0
BROWSERS_MAX = 50
BROWSER_LABEL_CHARACTERS_MAX = 80
# How long a user or agent counts as present after the last activity, and as editing after an edit.
# An open page reports itself three times in that time.
PRESENCE_S = 30.0
PRESENCE_EDITING_S = 30.0
# After how long without activity the user of an open page is idle.
PRESENCE_IDLE_S = 60.0
# How often unchanged presence is written again.
PRESENCE_TOUCH_S = 5.0
# Sessions whose last presence a process remembers, and how much of a heading or a name is shown.
PRESENCE_REMEMBERED = 2_000
PRESENCE_CHARACTERS_MAX = 200
# How long writing presence waits for the write lock, in the background; later it would be outdated.
PRESENCE_WAIT_S = 0.5
# In a longer text Strata does not look for the section that an agent edited.
PRESENCE_LOOK_CHARACTERS_MAX = 500_000
# Longer than any mail server accepts.
EMAIL_CHARACTERS_MAX = 254
# Users, teams and folders are listed completely, and read for every check of permissions.
USERS_MAX = 10_000
TEAMS_MAX = 1_000
FOLDERS_MAX = 100_000
SPACES_MAX = 10_000
# What a Space is for, in a paragraph; the text itself belongs into a document.
SPACE_DESCRIPTION_CHARACTERS_MAX = 1_000
# Counts of refused secrets are kept for so many days, and shown for fewer.
REFUSED_SECRETS_DAYS = 90
# Users for whom a process remembers what they may see: a few megabytes each in a large workspace.
VISIBLE_REMEMBERED = 16
# Views of the store that a session keeps between calls: one for each branch and space it names.
BOUND_WORKSPACES = 64
# Calls that a server works on at once; each holds a thread and a connection of its own.
SERVE_CALLS_MAX = 32
# Of these, calls of one client: one client alone cannot keep the others waiting.
SERVE_CALLS_OF_ONE_MAX = 8
# Of these, calls that write: the store has one writer at a time, and a client with many long writes
# would almost always be next.
SERVE_WRITES_OF_ONE_MAX = 2
# Calls that may wait for a thread; further calls are refused with a time to retry.
SERVE_CALLS_WAITING_MAX = 256
# Connections and sessions of a server, and sessions of one caller. Opening one more ends the
# session that was idle longest.
SERVE_CONNECTIONS_MAX = 1_024
SERVE_SESSIONS_MAX = 512
SERVE_SESSIONS_OF_ONE_MAX = 64
# Sessions that one caller opens a second, beyond as many at once as it may have: each takes
# milliseconds of the event loop that all share. The next one waits, but not for longer than this.
SERVE_SESSIONS_A_SECOND = 10
SERVE_SESSION_WAIT_S = 5.0
# Connections of one address that wait for their client; the oldest is closed for the next one. A
# proxy has the address of all its users, and keeps fewer open than this.
SERVE_WAITING_OF_ONE_MAX = 128
# Bytes read from a connection at once: they may be hundreds of tiny messages or chunks, each of
# which takes up to 50 microseconds of the event loop. A body of known length is read in larger
# steps.
SERVE_READ_BYTES = 4 * 1024
SERVE_BODY_READ_BYTES = 64 * 1024
# File descriptors that a server requests, and those that are not for connections: files of the
# store for every thread, models, listening sockets.
SERVE_DESCRIPTORS_MAX = 65_536
SERVE_DESCRIPTORS_KEPT = 200
# Pages of the store that all connections of a server hold together; the system caches them too.
SERVE_PAGES_BYTES_MAX = 64 * 1024 * 1024
# A server releases memory after so long without calls.
SERVE_IDLE_S = 60.0
# A stopping server ends after so long in any case: longer than all its parts need to end properly.
SERVE_STOP_S = 20.0
# A session that no request has come for is closed, and its transaction rolled back.
SERVE_SESSION_IDLE_S = 1_800.0
# How long a client may take to send the head of a request, and then its body: a client that sends a
# byte a minute would otherwise hold connections for ever.
SERVE_HEAD_S = 5.0
SERVE_BODY_S = 60.0
# A body of this size is parsed in a millisecond or two, so the event loop may do it.
SERVE_SHORT_BODY_BYTES = 64 * 1024
# Longer bodies are accepted only from callers who may write; a query has a few kilobytes.
SERVE_READER_BODY_BYTES_MAX = 1024 * 1024
# Long bodies, and messages of sockets, that a server holds at once, whole or in part: of one
# caller as many as one request may have, and of all callers. Parsed, each takes several times as
# much.
SERVE_BODIES_OF_ONE_BYTES = 64 * 1024 * 1024
SERVE_BODIES_BYTES = 256 * 1024 * 1024
# Lists and objects of one request, and values behind a comma. Making them holds the interpreter
# for a third of a second at most, and takes some hundred megabytes.
JSON_CONTAINERS_MAX = 1_000_000
JSON_VALUES_MAX = 8_000_000
# How long a connection stays open between requests.
SERVE_KEEP_ALIVE_S = 30
# Sockets of pages that are open at once; each is a connection beside those of requests.
SOCKETS_MAX = 512
# One message on a socket: a document of the largest size with its history, or pasted whole.
SOCKET_MESSAGE_BYTES_MAX = 32 * 1024 * 1024
# How often a WebSocket is pinged, and how long its page may take to answer.
SOCKET_PING_S = 20.0
# How often a server lets the script of a page hear that it is there; a page that has heard nothing
# for 25 seconds says that it is offline.
SOCKET_BEAT_S = 15.0
# How often the feed of commits is looked at, the commits of one look, and how many messages of one
# look a page is sent before it is asked to fetch anew what it shows.
FEED_LOOK_S = 0.2
FEED_COMMITS_MAX = 500
FEED_MESSAGES_MAX = 50
# Keys that one message of the feed names, and keys of a commit that are looked at.
FEED_KEYS_MAX = 50
FEED_KEYS_LOOKED_AT = 20_000
# Pages of one user that follow the feed.
FEED_SOCKETS_OF_ONE = 100
# Live edits that arrive within this time are one commit. Users do not notice a hundredth of a
# second, and a commit costs the same for one letter and for a hundred.
LIVE_GATHER_S = 0.01
# While commits take long, edits are gathered for so many times as long as the last one took, and
# for no longer than this: larger commits are less work for each edit.
LIVE_GATHER_SHARE = 3
LIVE_GATHER_MAX_S = 0.04
# How often a server looks for edits of tools, commands and other servers.
LIVE_LOOK_S = 0.015
# The same while the database tells of edits by itself, and no user has written for a while.
LIVE_HINTED_S = 1.0
LIVE_ACTIVE_S = 3.0
# The same while no document is open, so that little has to be read later.
LIVE_IDLE_S = 5.0
# How long a thread may keep the interpreter while a message waits to be sent.
LIVE_SWITCH_S = 0.0005
# Updates of one author that may wait for a commit; after that the server reads no more from the
# author until they are committed. In the worst case so many bytes take a few seconds.
LIVE_GATHERED_MAX = 512
LIVE_GATHERED_BYTES_MAX = 256 * 1024
# Bytes of updates in one commit, and the size from which a commit takes only one update: an author
# waits for at most one long update of another author.
LIVE_TURN_BYTES = 64 * 1024
LIVE_LONG_BYTES = 2 * 1024
# After a commit with a long update, the next one with another waits so many times as long: users
# who type beside an author of many long updates wait for one of them at most, and seldom.
LIVE_LONG_PAUSE = 4
# Structs and deletions of one live update: so many take a third of a second, more take minutes.
LIVE_STRUCTS_MAX = 10_000
# A state vector names each client of a text; a received one may have so many extra bytes.
LIVE_VECTOR_BYTES = 16 * 1024
# Changes of one commit that are sent as one message: joining them is work of the event loop.
LIVE_JOINED_BYTES_MAX = 8 * 1024
# Bytes that may wait for a slow reader; after that the server closes the connection, and the page
# reconnects for the rest.
LIVE_WAITING_BYTES_MAX = 4 * 1024 * 1024
# How long a stop waits for what has arrived to be committed.
LIVE_STOP_S = 5.0
# How long a socket has to receive the reason why it is closed.
LIVE_CLOSE_S = 2.0
# Messages of one author, on average and at once: ten times what a user types and moves. A message
# handled in the event loop counts as one more for each so many bytes.
LIVE_MESSAGES_A_SECOND = 200
LIVE_MESSAGES_AT_ONCE = 1_000
LIVE_MESSAGE_BYTES = 4 * 1024
# Sockets of one user: every page of a busy day, on several machines.
LIVE_SOCKETS_OF_ONE = 100
# Presence of one page: its name, its cursor, its section.
LIVE_STATE_BYTES_MAX = 4 * 1024
# One message of that kind: pages repeat what others say, some 300 bytes each.
LIVE_STATES_BYTES_MAX = 64 * 1024
# Client ids of one socket: a page has one, or a few after reconnecting.
LIVE_CLIENTS_OF_ONE = 8
# Client ids that a live document remembers, present or gone.
LIVE_CLIENTS_REMEMBERED = 4_096
# New client ids in one update: a page that was offline for long was reloaded a few times.
LIVE_CLIENTS_OF_UPDATE = 64
# Client ids whose authors are looked up when a user opens a document.
LIVE_AUTHORS_MAX = 2_000
# Sections of a text are written after so long without typing, or after so long of typing. A search
# does not wait for that: it writes them itself, so only vectors are that old.
LIVE_SETTLE_S = 5.0
LIVE_SETTLE_MAX_S = 120.0
# After the sections or the snapshot of one text, those of the next wait so many times as long as
# they took: users go on typing, and the interpreter runs one thread at a time.
LIVE_BESIDE_PAUSE = 3
# How often the permissions of readers are checked, and whether they are still signed in.
LIVE_WATCH_S = 0.5
LIVE_SIGNED_IN_S = 5.0
# How often presence is written, well before it would expire, and how often it is read.
LIVE_TOUCH_S = 10.0
LIVE_PRESENCE_S = 1.0
# A user who changed the text so recently counts as editing it.
LIVE_EDITING_S = 5.0
# Threads in which pages read and write the store, beside those of calls.
WEB_THREADS = 8
# The server fetches the keys of an issuer again after so long. If a token names an unknown key, it
# waits at least so long between two fetches, because an attacker can invent names.
ISSUER_KEYS_S = 600.0
ISSUER_KEYS_PAUSE_S = 30.0
ISSUER_TIMEOUT_S = 10.0
# If an issuer did not answer and no keys are known, the server waits so long before it asks again.
ISSUER_FAILED_S = 5.0
ISSUER_ANSWER_BYTES_MAX = 1024 * 1024
# How far the clocks of an issuer and a server may differ.
ISSUER_SKEW_S = 30
# What a model reads in one answer of a tool; the rest is fetched by another call.
ANSWER_TOKENS_MAX = 8_000
# One value in a list of several.
ANSWER_VALUE_TOKENS_MAX = 1_000
# Tokens of a document that are shown by default. A longer document is shown as an outline, which
# always gets at least so many tokens.
READ_TOKENS = 10_000
OUTLINE_TOKENS_MIN = 1_000
# Images, pending suggestions and readers that an answer lists beside a text.
IMAGES_SHOWN = 20
SUGGESTIONS_SHOWN = 50
AUDIENCE_SHOWN = 50
# Values that one call of an agent's tool may store, recall or forget.
TOOL_ITEMS_MAX = 1_000
# One message of a client: a value of the largest size, escaped, and its surroundings.
MESSAGE_BYTES_MAX = 64 * 1024 * 1024
# Calls of one client that run or wait, and how many of them run at once.
CALLS_MAX = 1_000
CALL_THREADS = 8
SUBSCRIPTIONS_MAX = 100
# How long running calls may take to finish when the server stops.
SHUTDOWN_S = 5.0
# What one decision is about, says and is grounded on, in characters: as MAMA 1.0 had it.
TOPIC_CHARACTERS_MAX = 200
DECISION_CHARACTERS_MAX = 2_000
REASONING_CHARACTERS_MAX = 5_000
# A checkpoint's summary and next steps, and an insight.
SUMMARY_CHARACTERS_MAX = 10_000
OPEN_FILES_MAX = 200
# Links that one save may name, and those it makes by itself. One link to what was saved just
# before is enough to walk through a session; more of them only crowd what was linked on purpose.
LINKS_MAX = 20
TEMPORAL_LINKS_MAX = 1
# The same for each memory of a file that is imported with `--backfill seed`.
BACKFILL_TEMPORAL_LINKS_MAX = 3
SEMANTIC_LINKS_MAX = 5
# The newest memories among which a repeated save of an insight is recognised.
REPEATED_SAVES_LOOKED_AT = 20
# Other branches on which a missing memory is looked for, to say where it is.
BRANCHES_LOOKED_AT = 50
# Memories made this close to each other belong together.
TEMPORAL_WINDOW_MS = 3_600_000
DAY_MS = 86_400_000
# Links that have faded below this, or temporal ones older than this, are pruned.
LINK_CONFIDENCE_MIN = 0.2
TEMPORAL_LINK_DAYS = 30
# How often links are pruned by themselves.
PRUNING_INTERVAL_MS = 7 * DAY_MS
# Automatic links of a memory: by meaning and by time.
AUTOMATIC_LINKS_MAX = 8
# Fewer memories are not enough to tell which of them are unusually similar.
LINKING_MEMORIES_MIN = 20
# Memories whose pairs show what similarity is usual: half a million cosines, some 20 ms.
LINKING_SAMPLE = 1_000
# Memories that are linked in one commit.
LINKING_BATCH_ITEMS = 512
# How far a traversal goes, whatever it was asked, and how many memories it returns.
GRAPH_DEPTH_MAX = 5
GRAPH_MEMORIES_MAX = 500
# Nodes of a graph of decisions on a page: more are a tangle for readers.
GRAPH_NODES_MAX = 200
# A decision that has had no outcome for longer is named to the user.
OUTCOME_DUE_DAYS = 30
# A walk is made and remembered as deep as those of topics are; surroundings are a part of it.
GRAPH_DEPTH_KEPT = 3
# Ends of links whose links a process holds in memory for a branch: some 150 MB. Past that it
# begins anew.
GRAPH_PLACES_MAX = 200_000
# Traversals that a process remembers, and for how long.
GRAPH_CACHE_ITEMS = 100
GRAPH_CACHE_S = 300.0
# Branches, and past states of them, whose links a process holds in memory.
GRAPHS_KEPT = 4
# Memories whose topics are compared with one that has none of its own.
TOPICS_LOOKED_AT = 1_000
# Changes that are looked through to say what happened since a checkpoint, and how many of the
# memories and keys among them are named.
NEWS_CHANGES_MAX = 2_000
NEWS_NAMED_MAX = 5
# The newest memories among which a digest looks for open outcomes and conflicts.
DIGEST_MEMORIES_LOOKED_AT = 200
# How much of a topic's evolution one answer shows.
CHAIN_MAX = 50
SIMILAR_MAX = 3
# What links lead to from a topic's decisions, the surest first, beside the decisions themselves.
RELATED_MAX = 5
# Decisions of a foreign file whose vectors are compared with each other: the newest ones. Twice
# as many take four times as long.
BACKFILL_VECTORS_MAX = 20_000
# A text is loaded, searched and sent whole; a longer one is several documents.
DOCUMENT_BYTES_MAX = 10 * 1024 * 1024
TITLE_CHARACTERS_MAX = 400
# Reading a document applies at most so many rows to a snapshot: measured, 256 small rows cost a
# tenth of what a document of a megabyte costs by itself.
DOCUMENT_SNAPSHOT_ROWS = 256
# Large rows are folded sooner, but never all the time.
DOCUMENT_SNAPSHOT_ROWS_MIN = 16
DOCUMENT_SNAPSHOT_BYTES_MIN = 64 * 1024
# Texts that a process holds ready for the next edit; each takes several times its letters.
REPLICAS_CHARACTERS_MAX = 32_000_000
# A small one takes a few kilobytes; few users edit more documents than this at once.
REPLICAS_MAX = 64
# Texts that a process has read last.
TEXTS_CHARACTERS_MAX = 32_000_000
# A merge carries every author's updates over; more than this is carried as one.
DOCUMENT_ROW_BYTES_MAX = 8 * 1024 * 1024
# Replacements of one edit: measured, ten thousand in a text of a megabyte take half a minute.
SPLICES_MAX = 1_000
# Changes of one whole rewrite that are kept as suggestions of their own.
SUGGESTIONS_OF_ONE_WRITE = 50
# A comment, or the words that it quotes: what is longer is a document of its own.
COMMENT_CHARACTERS_MAX = 20_000
# Of the suggestions that are about the same words, those that each of them names.
OVERLAPS_SHOWN = 20
# Threads or suggestions of one answer; the call for the rest comes with it.
REVIEW_ITEMS_SHOWN = 100
# Threads that are shown below a text; the rest is listed separately.
THREADS_SHOWN = 50
# A client that repeats a request does so within a day; the answers need not be kept for ever.
REQUEST_KEPT_S = 7 * 24 * 3600
# Places and texts that an error shows.
PLACES_SHOWN = 5
# A picture is kept whole, in one row or one object, and its decoder wants it in memory.
IMAGE_BYTES_MAX = 32 * 1024 * 1024
# Decoded, a pixel takes four bytes: 200 MB, which the largest cameras of phones just reach.
IMAGE_PIXELS_MAX = 50_000_000
# What formats other than PNG can say. A column of millions of rows takes seconds to decode.
IMAGE_EDGE_MAX = 65_535
# Only the first frame is shown; real animations have fewer frames.
IMAGE_FRAMES_MAX = 1_000
# Parts of a file are walked one by one before anything is decoded: half a second for these.
IMAGE_PARTS_MAX = 500_000
# Each scan of a progressive JPEG goes over the whole picture; programs write about ten.
IMAGE_SCANS_MAX = 32
# Notes and colour profiles inside a PNG, expanded: a few bytes may expand to gigabytes.
IMAGE_TEXT_BYTES_MAX = 8 * 1024 * 1024
# Models that look at pictures refuse longer sides, and more than 5 MB once encoded as base64.
IMAGE_SIDE_MAX = 8_000
# How wide an image is shown to a model that does not say: enough to read its writing.
IMAGE_WIDTH = 1_024
IMAGE_ANSWER_BYTES_MAX = 3_500_000
# Pictures that a process keeps ready to be shown again, and how many it decodes at once: each
# may take the memory of IMAGE_PIXELS_MAX.
IMAGE_CACHE_BYTES = 64 * 1024 * 1024
IMAGES_DECODED_AT_ONCE = 2
# A file that becomes a document: seconds and memory of the process that reads it, bytes of one
# part of a DOCX when it is unpacked, and pages of a PDF. A book of a thousand pages takes a third.
FILE_READ_S = 60.0
FILE_READ_BYTES_MAX = 1024 * 1024 * 1024
FILE_PART_BYTES_MAX = 32 * 1024 * 1024
FILE_PAGES_MAX = 5_000
# How long an address for an upload is good: enough to read it and send a file.
UPLOAD_S = 900.0
# What arrived and was never finalized is kept so long behind that, and what was, so long that
# a repeated call gets the same answer.
UPLOAD_KEPT_S = 3600.0
UPLOAD_FINISHED_KEPT_S = 24 * 3600.0
# Bytes that one user may have announced or sent without finalizing them.
UPLOADS_OPEN_BYTES_MAX = 256 * 1024 * 1024
# Uploads that a server takes in at once, each in memory until it is whole, and how long one may
# take to arrive: the largest at a megabit a second.
UPLOADS_AT_ONCE = 8
UPLOAD_BODY_S = 300.0
# How long to wait for an answer of a storage elsewhere, and for a server on this machine.
STORAGE_TIMEOUT_S = 20.0
SERVER_LOOK_S = 0.5
# What one answer of find holds at most, and how much of each text it shows at first and at most.
FIND_ITEMS_MAX = 50
FIND_SNIPPET_TOKENS = 300
FIND_SNIPPET_TOKENS_MAX = 10_000
FIND_DAYS_MAX = 36_500
# Rows of a table that one answer holds, and documents that one request moves or puts into the
# trash: a user looks at a hundred, and one commit holds them all.
TABLE_ROWS_MAX = 500
DOCUMENTS_AT_ONCE_MAX = 200
# How far an answer can be paged through: each of these takes eight letters of the next token.
FIND_PAGED_MAX = 1_000
# Branches, and past states of them, whose documents a process knows by title and time: about
# ten megabytes for twenty thousand documents.
CATALOGUES_KEPT = 4
# Commits that are counted to say how far a branch is ahead of another; beyond, it is far.
DISTANCE_MAX = 100
# Documents with open threads that are read for one user's inbox; the newest count.
INBOX_DOCUMENTS = 200
# Memories that are looked at for decisions without an outcome: an inbox is opened often.
OVERDUE_LOOKED_AT = 1_000
# Keys between two that the order of a space remembers: so many are counted for a jump in a list.
KEY_ORDER_PART = 128
# Spaces, branches and past states of them whose order of keys a process remembers.
KEY_ORDERS_KEPT = 16
# Written keys that are followed one by one; more are read anew as a whole, which is then quicker.
KEY_ORDER_FOLLOWED = 5_000
# Names that a filter of a list looks at; the answer tells that there are more.
NAMES_LOOKED_AT = 100_000
# Events of a log, the newest ones, that are counted by type and day; and types that are listed.
EVENTS_COUNTED = 10_000
EVENT_TYPES_MAX = 1_000
# Memories that are looked at for a page of topics, names of topics that a filter looks at, and
# memories of one topic that are counted.
TOPIC_MEMORIES_LOOKED_AT = 2_000
TOPIC_NAMES_LOOKED_AT = 10_000
TOPIC_COUNTED = 200
# Users and states for which a process remembers the visible documents.
VISIBLE_KEPT = 16
# Documents that mean nearly the same, beside those that links lead to.
NEIGHBOURS_MAX = 20
# How far the surroundings of a document go, and how many documents they hold.
DOCUMENT_GRAPH_DEPTH_MAX = 5
DOCUMENT_GRAPH_NODES_MAX = 200
# Documents that a plain verification reads: a second for a few hundred of ordinary size.
DOCUMENTS_PROVED = 300
# How long a worker holds a task without renewing its lease; if the worker dies, the task is free
# after that.
AGENT_LEASE_S = 30.0
# How often a task is begun before it is given up: it may be what kills its workers.
AGENT_ATTEMPTS = 3
# How often an idle worker asks for tasks of other processes: one look at an index.
AGENT_LOOK_S = 1.0
# Tasks that one process runs at once, and tasks that one user may have open.
AGENT_TASKS_RUNNING = 2
AGENT_TASKS_OPEN_MAX = 100
# How long a task may run unless its agent says otherwise, at most, and wait for a worker.
AGENT_TASK_S = 600.0
AGENT_TASK_S_MAX = 3600.0
AGENT_WAIT_S = 24 * 3600.0
# Models and users read the output of an agent; longer output should be a document.
AGENT_OUTPUT_BYTES_MAX = 64 * 1024
AGENT_INSTRUCTION_BYTES_MAX = 16 * 1024
# Calls of tools in one task: those of Strata's own agents read every document they look at.
AGENT_CALLS_MAX = 5_000
AGENT_MODEL_CALLS_MAX = 100
# Steps of a task that are kept for its user to look at, and how long each part of one may be.
AGENT_STEPS_MAX = 200
AGENT_STEP_CHARACTERS_MAX = 2_000
# Requests to a model and tokens of its answers in one task.
AGENT_REQUESTS_MAX = 50
AGENT_TOKENS_MAX = 200_000
# Documents that one of Strata's own agents reads, and findings that it writes at most.
AGENT_DOCUMENTS_MAX = 1_000
AGENT_FINDINGS_MAX = 500
# Finished tasks are listed for so long.
AGENT_TASK_KEPT_S = 30 * 24 * 3600
# Agents that one user may define.
AGENTS_MAX = 100
# Notes of trusted stores before those of stores that are gone are dropped.
TRUST_NOTES_MAX = 1_000
# Former paths of a trusted store: configurations of clients may name any of them.
MOVES_NOTED = 10
# The end of a log of git's that is read to find the parent of a branch: some 5,000 steps.
GIT_LOG_BYTES = 1 << 20
# How long a call of `git` may take; it reads a repository of this machine.
GIT_TIMEOUT_S = 30.0
# Files that git shares: of a stranger's clone no more is read than people could review.
GIT_FILES_MAX = 20_000
GIT_FILE_BYTES_MAX = 1 << 20
GIT_FRONT_MATTER_BYTES = 64 * 1024
# The list of decisions in AGENTS.md: every model that reads the file pays for it in every session.
AGENTS_BLOCK_BYTES = 4_000
AGENTS_BLOCK_BYTES_MIN = 200
AGENTS_BLOCK_BYTES_MAX = 64_000
# A file of instructions that is larger is none.
AGENTS_FILE_BYTES_MAX = 4 << 20
# Git branches between one and the parent whose memory it reads.
GIT_PARENTS_MAX = 16
# Live typing is one version until there was a pause of so long.
LIVE_PAUSE_S = 5.0
# The part of a public address that names a page or a profile: what fits a line of a message.
SLUG_CHARACTERS_MAX = 80
# The description of a profile, and how many names it may have had: old names redirect to it.
PROFILE_ABOUT_CHARACTERS_MAX = 2_000
PROFILE_NAMES_MAX = 10
# Pages that a profile lists; the newest count.
PROFILE_PAGES_LISTED = 1_000
# Rendered pages that a server keeps ready, and the largest that it keeps.
PAGES_CACHE_BYTES = 64 * 1024 * 1024
# Words of a page that search engines and previews show.
DESCRIPTION_CHARACTERS_MAX = 200
# How deep the table of contents of a page goes, and how many entries it has.
CONTENTS_ENTRIES_MAX = 300
# A longer published text is shown as plain text: a megabyte of rich Markdown takes three seconds to
# render, and a hostile one four times as long.
PAGE_CHARACTERS_MAX = 3_000_000
