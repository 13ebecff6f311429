-- A database as MAMA 1.0 makes it, and what it does not have a place for.

-- name: make_1_decisions
CREATE TABLE decisions (
  id TEXT PRIMARY KEY,
  topic TEXT NOT NULL,
  decision TEXT NOT NULL,
  reasoning TEXT,
  outcome TEXT,
  failure_reason TEXT,
  limitation TEXT,
  duration_days INTEGER,
  user_involvement TEXT,
  session_id TEXT,
  supersedes TEXT,
  superseded_by TEXT,
  refined_from TEXT,
  confidence REAL DEFAULT 0.5,
  created_at INTEGER DEFAULT (unixepoch()),
  updated_at INTEGER DEFAULT (unixepoch()),
  needs_validation INTEGER DEFAULT 0 CHECK (needs_validation IN (0, 1)),
  validation_attempts INTEGER DEFAULT 0,
  last_validated_at INTEGER,
  usage_count INTEGER DEFAULT 0,
  trust_context TEXT,
  usage_success INTEGER DEFAULT 0,
  usage_failure INTEGER DEFAULT 0,
  time_saved INTEGER DEFAULT 0,
  FOREIGN KEY (supersedes) REFERENCES decisions(id),
  FOREIGN KEY (superseded_by) REFERENCES decisions(id),
  CHECK (confidence >= 0.0 AND confidence <= 1.0),
  CHECK (outcome IN ('SUCCESS', 'FAILED', 'PARTIAL') OR outcome IS NULL),
  CHECK (user_involvement IN ('requested', 'approved', 'rejected') OR user_involvement IS NULL)
);

-- name: make_2_decisions_topic
CREATE INDEX idx_decisions_topic ON decisions(topic);

-- name: make_2_decisions_outcome
CREATE INDEX idx_decisions_outcome ON decisions(outcome);

-- name: make_2_decisions_session
CREATE INDEX idx_decisions_session ON decisions(session_id);

-- name: make_2_decisions_supersedes
CREATE INDEX idx_decisions_supersedes ON decisions(supersedes);

-- name: make_2_decisions_created_at
CREATE INDEX idx_decisions_created_at ON decisions(created_at);

-- name: make_2_decisions_needs_validation
CREATE INDEX idx_decisions_needs_validation ON decisions(needs_validation)
  WHERE needs_validation = 1;

-- name: make_2_decisions_last_validated
CREATE INDEX idx_decisions_last_validated ON decisions(last_validated_at);

-- name: make_2_decisions_usage_count
CREATE INDEX idx_decisions_usage_count ON decisions(usage_count) WHERE usage_count >= 10;

-- name: make_2_decisions_usage_success
CREATE INDEX idx_decisions_usage_success ON decisions(usage_success DESC);

-- name: make_2_decisions_time_saved
CREATE INDEX idx_decisions_time_saved ON decisions(time_saved DESC);

-- name: make_2_decisions_needs_validation_usage
CREATE INDEX idx_decisions_needs_validation_usage ON decisions(needs_validation, usage_success)
  WHERE needs_validation = 1;

-- name: make_3_edges
CREATE TABLE decision_edges (
  from_id TEXT NOT NULL,
  to_id TEXT NOT NULL,
  relationship TEXT NOT NULL,
  reason TEXT,
  weight REAL DEFAULT 1.0,
  created_at INTEGER DEFAULT (unixepoch()),
  PRIMARY KEY (from_id, to_id, relationship),
  FOREIGN KEY (from_id) REFERENCES decisions(id),
  FOREIGN KEY (to_id) REFERENCES decisions(id),
  CHECK (relationship IN ('supersedes', 'refines', 'contradicts')),
  CHECK (weight >= 0.0 AND weight <= 1.0)
);

-- name: make_4_edges_from
CREATE INDEX idx_edges_from ON decision_edges(from_id);

-- name: make_4_edges_to
CREATE INDEX idx_edges_to ON decision_edges(to_id);

-- name: make_4_edges_relationship
CREATE INDEX idx_edges_relationship ON decision_edges(relationship);

-- name: make_5_sessions
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  project_path TEXT,
  rolling_summary TEXT,
  latest_exchange TEXT,
  action_count INTEGER DEFAULT 0,
  decision_count INTEGER DEFAULT 0,
  started_at INTEGER DEFAULT (unixepoch()),
  last_active_at INTEGER DEFAULT (unixepoch()),
  ended_at INTEGER,
  CHECK (action_count >= 0),
  CHECK (decision_count >= 0)
);

-- name: make_6_sessions_project
CREATE INDEX idx_sessions_project ON sessions(project_path);

-- name: make_6_sessions_ended
CREATE INDEX idx_sessions_ended ON sessions(ended_at);

-- name: make_6_sessions_last_active
CREATE INDEX idx_sessions_last_active ON sessions(last_active_at);

-- name: make_7_schema_version
CREATE TABLE schema_version (
  version INTEGER PRIMARY KEY,
  applied_at INTEGER DEFAULT (unixepoch()),
  description TEXT
);

-- name: make_7_schema_versions
INSERT INTO schema_version (version, description)
VALUES (1, 'Initial Decision Graph schema'), (2, NULL), (3, NULL), (4, NULL);

-- name: make_8_error_patterns
CREATE TABLE error_patterns (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  error_pattern TEXT NOT NULL,
  error_type TEXT,
  solution TEXT NOT NULL,
  solution_type TEXT DEFAULT 'bash',
  success_rate REAL DEFAULT 1.0,
  occurrences INTEGER DEFAULT 1,
  successes INTEGER DEFAULT 1,
  last_seen INTEGER NOT NULL,
  first_seen INTEGER NOT NULL,
  embedding BLOB,
  created_at INTEGER DEFAULT (unixepoch()),
  updated_at INTEGER DEFAULT (unixepoch()),
  UNIQUE(error_pattern)
);

-- name: make_9_patterns_last_seen
CREATE INDEX idx_error_patterns_last_seen ON error_patterns(last_seen DESC);

-- name: make_9_patterns_success_rate
CREATE INDEX idx_error_patterns_success_rate ON error_patterns(success_rate DESC);

-- name: make_9_patterns_error_type
CREATE INDEX idx_error_patterns_error_type ON error_patterns(error_type);

-- name: make_9a_checkpoints
CREATE TABLE checkpoints (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  timestamp INTEGER NOT NULL,
  summary TEXT NOT NULL,
  open_files TEXT,
  next_steps TEXT,
  status TEXT DEFAULT 'active'
);

-- name: make_9b_kept
-- What MAMA has no column for; it leaves tables alone that it does not know.
CREATE TABLE strata_kept (
  kind TEXT NOT NULL CHECK (kind IN ('memory', 'link', 'row', 'origin')),
  id TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (kind, id)
);

-- name: add_decision
INSERT INTO decisions (
  id, topic, decision, reasoning, outcome, failure_reason, limitation, duration_days,
  user_involvement, session_id, refined_from, confidence, created_at, updated_at,
  needs_validation, validation_attempts, last_validated_at, usage_count, trust_context,
  usage_success, usage_failure, time_saved)
VALUES (
  :id, :topic, :decision, :reasoning, :outcome, :failure_reason, :limitation, :duration_days,
  :user_involvement, :session_id, :refined_from, :confidence, :created_at, :updated_at,
  :needs_validation, :validation_attempts, :last_validated_at, :usage_count, :trust_context,
  :usage_success, :usage_failure, :time_saved);

-- name: set_supersedes
UPDATE decisions SET supersedes = ? WHERE id = ?;

-- name: set_superseded_by
UPDATE decisions SET superseded_by = ? WHERE id = ?;

-- name: add_edge
INSERT INTO decision_edges (from_id, to_id, relationship, reason, weight, created_at)
VALUES (?, ?, ?, ?, ?, ?);

-- name: add_checkpoint
INSERT INTO checkpoints (id, timestamp, summary, open_files, next_steps, status)
VALUES (:id, :timestamp, :summary, :open_files, :next_steps, :status);

-- name: add_session
INSERT INTO sessions (
  id, project_path, rolling_summary, latest_exchange, action_count, decision_count, started_at,
  last_active_at, ended_at)
VALUES (
  :id, :project_path, :rolling_summary, :latest_exchange, :action_count, :decision_count,
  :started_at, :last_active_at, :ended_at);

-- name: add_error_pattern
INSERT INTO error_patterns (
  id, error_pattern, error_type, solution, solution_type, success_rate, occurrences, successes,
  last_seen, first_seen, created_at, updated_at)
VALUES (
  :id, :error_pattern, :error_type, :solution, :solution_type, :success_rate, :occurrences,
  :successes, :last_seen, :first_seen, :created_at, :updated_at);

-- name: keep
INSERT INTO strata_kept (kind, id, data) VALUES (?, ?, ?);

-- name: astray
SELECT * FROM pragma_foreign_key_check;
